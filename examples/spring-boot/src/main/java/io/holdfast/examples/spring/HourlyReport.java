package io.holdfast.examples.spring;

import io.holdfast.spring.WithLock;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A job that each instance has, and one of them runs. The others skip it: it is a scheduled method. */
@Component
public class HourlyReport {

    private final JdbcTemplate jdbc;
    private final String instance;

    HourlyReport(JdbcTemplate jdbc, @Value("${shop.instance}") String instance) {
        this.jdbc = jdbc;
        this.instance = instance;
    }

    /** Held for the hour, so that an instance whose clock is late does not run it again. */
    @Scheduled(initialDelay = 0, fixedRate = 1000)
    @WithLock(name = "hourly-report", atLeast = "1h")
    public void run() {
        jdbc.update("INSERT INTO job_run (instance) VALUES (?)", instance);
    }
}
