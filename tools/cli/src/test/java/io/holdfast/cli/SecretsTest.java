package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is secret")
class SecretsTest {

    @ParameterizedTest
    @CsvSource({
        "at redis://me:pw@host:1/0 now, at redis://***@host:1/0 now",
        "redis://:p@w/x@host, redis://***@host",
        "jdbc:postgresql://h/d?user=me&password=pw&ssl=true, jdbc:postgresql://h/d?user=me&password=***&ssl=true",
        "jdbc:h2:mem:x;USER=sa;PASSWORD=pw, jdbc:h2:mem:x;USER=sa;PASSWORD=***",
        "jdbc:mariadb://address=(host=h)(password=p)w)/db, jdbc:mariadb://address=(host=h)(password=***",
        "mail me@host about redis://host, mail me@host about redis://host"
    })
    @DisplayName("is not repeated")
    void isMasked(String said, String masked) {
        assertThat(Secrets.masked(said)).isEqualTo(masked);
    }
}
