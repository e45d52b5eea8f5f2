package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/** A pool that notes what passes: statements, commits, and how many connections are out. */
final class CountingSource implements AutoCloseable {

    private final HikariDataSource pool;
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final AtomicInteger out = new AtomicInteger();
    private volatile Runnable before = () -> {};
    private volatile boolean givesNoKeys;
    private final AtomicReference<String> lost = new AtomicReference<>();

    CountingSource(TestDatabase database) {
        this(database.uri());
    }

    CountingSource(String uri) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(uri);
        config.setMaximumPoolSize(8);
        this.pool = new HikariDataSource(config);
    }

    DataSource source() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    if (!method.getName().equals("getConnection")) {
                        return method.invoke(pool, args);
                    }
                    out.incrementAndGet();
                    return connection(pool.getConnection());
                });
    }

    /** What was sent to the database, each of them a round trip. */
    List<String> sent() {
        return sent;
    }

    int connectionsOut() {
        return out.get();
    }

    /** Runs before each statement. */
    void before(Runnable step) {
        before = step;
    }

    /** As a driver that counts only rows that were really changed, of a lock that is busy. */
    void giveNoKeys() {
        givesNoKeys = true;
    }

    /** The answer to the next statement that contains this is lost with its connection; it has run. */
    void loseAnswerTo(String text) {
        lost.set(text);
    }

    private Connection connection(Connection connection) {
        return proxy(Connection.class, (proxy, method, args) -> {
            switch (method.getName()) {
                case "commit", "rollback" -> sent.add(method.getName());
                case "close" -> out.decrementAndGet();
                case "prepareStatement" -> {
                    return statement(
                            PreparedStatement.class, (PreparedStatement) call(connection, method, args), (String)
                                    args[0]);
                }
                case "createStatement" -> {
                    return statement(Statement.class, (Statement) call(connection, method, args), "");
                }
                default -> {}
            }
            return call(connection, method, args);
        });
    }

    private <T extends Statement> T statement(Class<T> type, T statement, String text) {
        return proxy(type, (proxy, method, args) -> {
            if (givesNoKeys && method.getName().equals("getGeneratedKeys")) {
                return statement
                        .getConnection()
                        .createStatement()
                        .executeQuery("SELECT 1 FROM holdfast_schema WHERE 1 = 0");
            }
            if (method.getName().startsWith("execute")) {
                sent.add(args == null ? text : String.valueOf(args[0]));
                before.run();
                String unheard = lost.get();
                if (unheard != null && text.contains(unheard) && lost.compareAndSet(unheard, null)) {
                    call(statement, method, args);
                    throw new SQLException("on purpose: the connection broke", "08006");
                }
            }
            return call(statement, method, args);
        });
    }

    private static Object call(Object target, java.lang.reflect.Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(CountingSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** A connection of the caller's own. */
    Connection open() throws SQLException {
        return pool.getConnection();
    }

    @Override
    public void close() {
        pool.close();
    }
}
