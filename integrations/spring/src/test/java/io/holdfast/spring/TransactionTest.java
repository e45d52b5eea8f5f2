package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("A lock and a transaction on a database")
class TransactionTest {

    private static final String LOCK = "account:1";

    private AnnotationConfigApplicationContext context;
    private Holdfast other;
    private Accounts accounts;
    private JdbcTemplate jdbc;

    static class Database {

        static final String URI = "memory:" + UUID.randomUUID();

        @Bean(destroyMethod = "dispose")
        JdbcConnectionPool dataSource() {
            JdbcConnectionPool pool =
                    JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("create table account (id int primary key, balance int not null)");
            jdbc.update("insert into account values (1, 0)");
            return pool;
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        Holdfast holdfast() {
            return Holdfast.connect(URI);
        }

        @Bean
        Accounts accounts(JdbcTemplate jdbc) {
            return new Accounts(jdbc);
        }
    }

    @Configuration
    @EnableTransactionManagement
    @EnableHoldfastLocks
    static class LockOutside extends Database {}

    /** The order that every one of these tests would fail with: the transaction begins first. */
    @Configuration
    @EnableTransactionManagement(order = 0)
    @EnableHoldfastLocks
    static class LockInside extends Database {}

    @Configuration
    @EnableTransactionManagement
    @EnableHoldfastLocks(inTransaction = InTransaction.REFUSE)
    static class Refusing extends Database {}

    static class Accounts {

        private final JdbcTemplate jdbc;

        Accounts(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        /** Deposits; what is given runs in between, and again after the commit. */
        @WithLock("account:{#id}")
        @Transactional
        public void deposit(int id, Runnable between, Runnable afterCommit) {
            jdbc.update("update account set balance = balance + 1 where id = ?", id);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    afterCommit.run();
                }
            });
            between.run();
        }

        @WithLock(name = "account:{#id}", onLost = OnLost.LOG)
        @Transactional
        public void depositAnyhow(int id, Runnable between) {
            jdbc.update("update account set balance = balance + 1 where id = ?", id);
            between.run();
        }

        /** Without a transaction of its own. */
        @WithLock("account:{#id}")
        public void add(int id, Runnable between) {
            jdbc.update("update account set balance = balance + 1 where id = ?", id);
            between.run();
        }
    }

    private void start(Class<?> config) {
        context = new AnnotationConfigApplicationContext(config);
        accounts = context.getBean(Accounts.class);
        jdbc = context.getBean(JdbcTemplate.class);
    }

    @BeforeEach
    void connect() {
        other = Holdfast.connect(Database.URI);
    }

    @AfterEach
    void stop() {
        other.forceUnlock(LOCK);
        other.close();
        if (context != null) {
            context.close();
        }
    }

    private int balance() {
        Integer balance = jdbc.queryForObject("select balance from account where id = 1", Integer.class);
        return balance == null ? -1 : balance;
    }

    private boolean locked() {
        return other.inspect(LOCK).isLocked();
    }

    /** Takes the lock away, and has the holder's client hear of it. */
    private void lose() {
        other.forceUnlock(LOCK);
        assertThatThrownBy(() -> LockTemplate.currentLease().orElseThrow().extend(Duration.ofMinutes(1)))
                .isInstanceOf(LeaseLostException.class);
    }

    private <T> T inTransaction(Supplier<T> work) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).execute(status -> work.get());
    }

    private void deposit(Runnable between) {
        accounts.deposit(1, between, () -> {});
    }

    @Test
    @DisplayName("the lock is held until after the commit, and free then")
    void heldUntilCommit() {
        start(LockOutside.class);
        AtomicReference<Boolean> atCommit = new AtomicReference<>();
        accounts.deposit(1, () -> assertThat(locked()).isTrue(), () -> atCommit.set(locked()));
        assertThat(atCommit).hasValue(true);
        assertThat(locked()).isFalse();
        assertThat(balance()).isEqualTo(1);
    }

    @Test
    @DisplayName("the lock is taken before the transaction begins")
    void takenBeforeBegin() {
        start(LockOutside.class);
        AtomicReference<Boolean> atBegin = new AtomicReference<>();
        ((DataSourceTransactionManager) context.getBean(PlatformTransactionManager.class))
                .addListener(new TransactionExecutionListener() {
                    @Override
                    public void beforeBegin(TransactionExecution transaction) {
                        atBegin.set(locked());
                    }
                });
        deposit(() -> {});
        assertThat(atBegin).hasValue(true);
    }

    @Test
    @DisplayName("a context whose transactions would begin before their locks does not start")
    void wrongOrder() {
        assertThatThrownBy(() -> start(LockInside.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("transactions would begin before its locks");
    }

    @Test
    @DisplayName("a lock that is lost before the commit rolls back, and the caller is told")
    void lossRollsBack() {
        start(LockOutside.class);
        assertThatThrownBy(() -> deposit(this::lose)).isInstanceOf(LeaseLostException.class);
        assertThat(balance()).isZero();
        deposit(() -> {});
        assertThat(balance()).isEqualTo(1);
    }

    @Test
    @DisplayName("a loss that is only to be logged commits")
    void loggedLossCommits() {
        start(LockOutside.class);
        accounts.depositAnyhow(1, this::lose);
        assertThat(balance()).isEqualTo(1);
    }

    @Test
    @DisplayName("a transaction of its own inside of the lock rolls back after a loss, too")
    void programmaticTransaction() {
        start(LockOutside.class);
        assertThatThrownBy(() -> new LockTemplate(context.getBean(Holdfast.class))
                        .execute(
                                LOCK,
                                lease -> inTransaction(() -> {
                                    jdbc.update("update account set balance = 7");
                                    lose();
                                    return null;
                                })))
                .isInstanceOf(LeaseLostException.class);
        assertThat(balance()).isZero();
    }

    @Test
    @DisplayName("what the body throws is what the caller gets, also after a loss")
    void bodyFailureIsNotHidden() {
        start(LockOutside.class);
        IllegalArgumentException thrown = new IllegalArgumentException("no such order");
        assertThatThrownBy(() -> deposit(() -> {
                    lose();
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(LeaseLostException.class);
        assertThat(balance()).isZero();
        assertThat(locked()).isFalse();
    }

    @Test
    @DisplayName("in a transaction that is already open, the lock stays until that has committed")
    void openTransaction() {
        start(LockOutside.class);
        inTransaction(() -> {
            accounts.add(1, () -> {});
            assertThat(locked()).isTrue();
            accounts.add(1, () -> {});
            assertThat(locked()).isTrue();
            return null;
        });
        assertThat(locked()).isFalse();
        assertThat(balance()).isEqualTo(2);
    }

    @Test
    @DisplayName("in a transaction that is already open, the lock stays until that has been rolled back")
    void openTransactionRollsBack() {
        start(LockOutside.class);
        assertThatThrownBy(() -> inTransaction(() -> {
                    accounts.add(1, () -> {});
                    assertThat(locked()).isTrue();
                    throw new IllegalArgumentException("later");
                }))
                .hasMessage("later");
        assertThat(locked()).isFalse();
        assertThat(balance()).isZero();
    }

    @Test
    @DisplayName("an open transaction whose lock is lost after the body rolls back")
    void openTransactionLosesLater() {
        start(LockOutside.class);
        assertThatThrownBy(() -> inTransaction(() -> {
                    AtomicReference<Lease> lease = new AtomicReference<>();
                    accounts.add(1, () -> lease.set(LockTemplate.currentLease().orElseThrow()));
                    other.forceUnlock(LOCK);
                    assertThatThrownBy(() -> lease.get().extend(Duration.ofMinutes(1)))
                            .isInstanceOf(LeaseLostException.class);
                    return null;
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(balance()).isZero();
    }

    @Test
    @DisplayName("an open transaction is refused where that is asked for")
    void refusesOpenTransaction() {
        start(Refusing.class);
        assertThatThrownBy(() -> inTransaction(() -> {
                    accounts.add(1, () -> {});
                    return null;
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("already begun");
        deposit(() -> {});
        assertThat(balance()).isEqualTo(1);
    }
}
