package io.holdfast.spring.integration;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The lock registry on PostgreSQL")
class PostgresRegistryTest extends StoreContract {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "off")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Override
    String uri() {
        return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres";
    }
}
