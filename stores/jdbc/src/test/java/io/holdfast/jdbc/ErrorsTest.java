package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a database says:")
class ErrorsTest {

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "MYSQL, 1040, 08004", // too many connections
        "MYSQL, 1203, 42000", // of one user
        "MYSQL, 1021, HY000", // the disk is full
        "MYSQL, 1114, HY000", // the table is
        "POSTGRESQL, 0, 53300",
        "POSTGRESQL, 0, 53100"
    })
    @DisplayName("that it has run out of something is a refusal, to be tried again later")
    void isFull(Database database, int code, String state) {
        Errors errors = new Errors("the database", database);
        SQLException said = new SQLException("no room", state, code);
        assertThat(errors.remedy(said)).isEqualTo(Errors.Remedy.TELL);
        HoldfastException told = errors.translate("Lock \"a\"", said);
        assertThat(told).isInstanceOf(StoreRefusedException.class).hasMessageContaining("no room");
        assertThat(told.retryable()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"25P03", "25P04"})
    @DisplayName("that it hung up on a client that stood still in a transaction is a broken connection")
    void hasHungUp(String state) {
        Errors errors = new Errors("the database", Database.POSTGRESQL);
        SQLException said = new SQLException("terminating connection", state);
        assertThat(errors.remedy(said)).isEqualTo(Errors.Remedy.RECONNECT);
        assertThat(errors.translate("Lock \"a\"", said)).isInstanceOf(StoreUnavailableException.class);
    }

    @ParameterizedTest
    @CsvSource({"0", "-1"})
    @DisplayName("nothing, where MySQL's or MariaDB's driver speaks for itself of a connection that it has closed")
    void driverSpeaks(int code) {
        Errors errors = new Errors("the database", Database.MYSQL);
        SQLException said = new SQLException("cannot be called on a closed connection", "42000", code);
        assertThat(errors.remedy(said)).isEqualTo(Errors.Remedy.RECONNECT);
        assertThat(errors.translate("Lock \"a\"", said)).isInstanceOf(StoreUnavailableException.class);
    }
}
