package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import io.holdfast.Guarantee;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spi.StoreTraits;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A JDBC URL")
class JdbcUrlTest {

    private static final String PASSWORD = "s3cret-Pa55";

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "jdbc:postgresql://me:s3cret-Pa55@host:5433/db jdbc:postgresql://host:5433/db",
                "jdbc:postgresql://host/db?user=me&password=s3cret-Pa55 jdbc:postgresql://host/db",
                "jdbc:postgresql://host/db?password=s3cret-Pa55&ssl=true jdbc:postgresql://host/db?ssl=true",
                "jdbc:postgresql:db?user=me&password=s3cret-Pa55 jdbc:postgresql:db",
                "jdbc:mariadb://one:1,two:2/db?user=me&password=s3cret-Pa55 jdbc:mariadb://one:1,two:2/db",
                "jdbc:mariadb://[::1]:3306/db?keyStorePassword=s3cret-Pa55 jdbc:mariadb://[::1]:3306/db",
                "jdbc:h2:mem:a;USER=me;PASSWORD=s3cret-Pa55 jdbc:h2:mem:a",
                "jdbc:h2:~/a;AUTO_SERVER=TRUE;PASSWORD=s3cret-Pa55 jdbc:h2:~/a;AUTO_SERVER=TRUE"
            })
    @DisplayName("is given to the driver without what is secret")
    void hasNoSecrets(String uri, String url) {
        JdbcUrl parsed = JdbcUrl.parse(uri);
        assertThat(parsed.url()).isEqualTo(url);
        assertThat(parsed.toString() + parsed.description()).doesNotContain(PASSWORD);
        assertThat(parsed.secrets().toString()).contains(PASSWORD);
    }

    @Test
    @DisplayName("may have escaped characters in its password")
    void escapes() {
        assertThat(JdbcUrl.parse("jdbc:postgresql://me:a%2Fb+c%40@host/db").secrets())
                .containsEntry("user", "me")
                .containsEntry("password", "a/b+c@");
        assertThat(JdbcUrl.parse("jdbc:postgresql://host/db?password=%26").secrets())
                .containsEntry("password", "&");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:",
                "jdbc:oracle:thin:me/s3cret-Pa55@host",
                "jdbc:postgresql://host:port/db?password=s3cret-Pa55",
                "jdbc:postgresql://host:65536/db?password=s3cret-Pa55",
                "jdbc:mariadb://me:s3cret-Pa55@ho st/db",
                "jdbc:mariadb://host/db?password=s3cret-Pa55%2"
            })
    @DisplayName("that is wrong is refused without repeating it")
    void isRefused(String uri) {
        assertThatThrownBy(() -> JdbcUrl.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageNotContaining(PASSWORD);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://host/db, DURABLE, true",
        "jdbc:mariadb://host/db, DURABLE, true",
        "jdbc:h2:mem:a, LOCAL, false",
        "jdbc:h2:~/a, LOCAL, false",
        "jdbc:h2:~/a;AUTO_SERVER=TRUE, LOCAL, true",
        "jdbc:h2:tcp://host/a, SINGLE, true"
    })
    @DisplayName("says what its locks are worth")
    void hasTraits(String uri, Guarantee guarantee, boolean acrossProcesses) {
        JdbcUrl parsed = JdbcUrl.parse(uri);
        assertThat(parsed.database().traits(parsed.description()))
                .isEqualTo(new StoreTraits(guarantee, acrossProcesses));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mariadb://address=(host=h)(port=3306)(user=me)(password=s3cret-Pa55)/db",
                "jdbc:mariadb://address=(host=h)(password=a@s3cret-Pa55),address=(host=i)(password=s3cret-Pa55?b)/db?x=y",
                "jdbc:mysql://(host=h,user=me,password=s3cret-Pa55)/db",
                "jdbc:mysql://me:s3cret-Pa55@(host=h)/db",
                "jdbc:mysql://me:s3cret-Pa55@[h:1,i:2]/db",
                "jdbc:mariadb:replication://address=(host=h)(password=s3cret-Pa55)(type=primary)/db",
                "jdbc:postgresql:me:s3cret-Pa55@host/db",
                "jdbc:postgresql://host/db;password=s3cret-Pa55",
                "jdbc:postgresql://host/db&password=s3cret-Pa55",
                "jdbc:postgresql://host/#s3cret-Pa55",
                "jdbc:postgresql://me:12?s3cret-Pa55@host/db",
                "jdbc:h2:mem:a?password=s3cret-Pa55",
                "jdbc:h2:me:s3cret-Pa55@host"
            })
    @DisplayName("that is not understood goes to the driver as it is, and is shown to nobody")
    void isNotShown(String uri) {
        JdbcUrl parsed = JdbcUrl.read(uri);
        assertThat(parsed.url()).isEqualTo(uri);
        assertThat(parsed.toString()).isEqualTo(parsed.description()).matches("jdbc:\\w+:…");
        for (String repeated : new String[] {uri, "part 's3cret-Pa55' of it", "(password=s3cret-Pa55"}) {
            SQLException said =
                    new SQLException("can't read " + repeated, "08001", 7, new IllegalStateException(repeated));
            StringWriter trace = new StringWriter();
            parsed.withoutSecrets(said).printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).contains("can't read").doesNotContain("s3cret-Pa55");
        }
    }

    @Test
    @DisplayName("keeps what is secret out of what its driver says and its pool writes")
    void isNotRepeated() {
        JdbcUrl parsed = JdbcUrl.parse("jdbc:postgresql://me:s3cret-Pa55@host/db?sslpassword=an0ther&ssl=true");
        SQLException said = new SQLException("what is s3cret-Pa55 or an0ther to host?", "28P01", 7);
        SQLException cleaned = parsed.withoutSecrets(said);
        assertThat(cleaned.getMessage()).isEqualTo("what is *** or *** to host?");
        assertThat(cleaned.getSQLState()).isEqualTo("28P01");
        SQLException harmless = new SQLException("no route to host", "08001");
        assertThat(parsed.withoutSecrets(harmless) == harmless).isTrue();
        DriverSource source = DriverSource.of(parsed, () -> {
            throw harmless;
        });
        HikariConfig told = Connections.settings(parsed, new StoreConfig("test", Duration.ofMillis(250)), source);
        assertThat(told.getJdbcUrl()).isNull();
        assertThat(told.getDataSourceProperties()).isEmpty();
        assertThat(told.getDataSource()).hasToString("jdbc:postgresql://host/db");
    }
}
