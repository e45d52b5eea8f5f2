package io.holdfast.spring;

import io.holdfast.Holdfast;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** One instance of {@link TransfersTest}: two threads that transfer until the process is killed. */
final class TransferWorker {

    private static String uri = "";

    @Configuration
    @EnableTransactionManagement
    @EnableHoldfastLocks
    static class Config {

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource(uri);
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        Holdfast holdfast() {
            return Holdfast.builder().uri(uri).lease(Duration.ofSeconds(2)).build();
        }

        @Bean
        Transfers transfers(DataSource dataSource) {
            return new Transfers(new JdbcTemplate(dataSource));
        }
    }

    static class Transfers {

        private final JdbcTemplate jdbc;

        Transfers(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        /** Reads, and then writes what it has computed: with two at once, one of them is lost. */
        @WithLock("account:{#id}")
        @Transactional
        public void transfer(int id) {
            int balance = value("select balance from account where id = " + id);
            long token = LockTemplate.currentLease().orElseThrow().token();
            jdbc.update("insert into journal (balance, token) values (?, ?)", balance + 1, token);
            jdbc.update("update account set balance = ? where id = ?", balance + 1, id);
        }

        private int value(String query) {
            Integer value = jdbc.queryForObject(query, Integer.class);
            return value == null ? -1 : value;
        }
    }

    private TransferWorker() {}

    public static void main(String[] args) throws Exception {
        uri = args[0];
        Transfers transfers = new AnnotationConfigApplicationContext(Config.class).getBean(Transfers.class);
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                        while (true) {
                            try {
                                transfers.transfer(1);
                            } catch (RuntimeException e) {
                                System.err.println(e);
                            }
                        }
                    })
                    .start();
        }
        System.in.read(); // until its parent is gone
        Runtime.getRuntime().halt(0);
    }
}
