package readme;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.holdfast.DistributedLatch;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import redis.embedded.RedisServer;

/** Runs each block of Java in the README, on the server that the first one names, which is started here. */
public final class Readme {

    private static final Job job = new Job();

    private Readme() {}

    public static void main(String[] args) throws Exception {
        RedisServer server = RedisServer.builder()
                .port(6379)
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .build();
        server.start();
        try {
            lock();
            try (Holdfast holdfast = Holdfast.connect("redis://127.0.0.1:6379")) {
                lease(holdfast);
                kinds(holdfast);
                try (Lease lease = holdfast.lock("fenced").acquire()) {
                    table(lease.token());
                    file(lease.token());
                }
            }
            for (String uri : new String[] {"memory:", "jdbc:h2:mem:readme"}) {
                try (Holdfast holdfast = Holdfast.connect(uri)) {
                    lease(holdfast);
                }
            }
        } finally {
            server.stop();
        }
        System.out.println("The README's examples ran.");
    }

    private static void lock() {
        //@1@
    }

    private static void lease(Holdfast holdfast) throws InterruptedException {
        Repository repository = new Repository();
        Object report = "report";
        //@2@
        if (!report.equals(repository.saved)) {
            throw new AssertionError("nothing was saved");
        }
    }

    private static void kinds(Holdfast holdfast) throws InterruptedException {
        DistributedLock a = holdfast.lock("a");
        DistributedLock b = holdfast.lock("b");
        //@3@
        for (DistributedLock lock : new DistributedLock[] {fair, both, prices.readLock(), prices.writeLock()}) {
            lock.lock();
            lock.unlock();
        }
        try (Lease permit = slots.acquireLease(1)) {
            if (!permit.isValid()) {
                throw new AssertionError("a permit is not valid");
            }
        }
        done.trySetCount(1);
        done.countDown();
        if (done.getCount() != 0) {
            throw new AssertionError("the latch did not open");
        }
    }

    private static void table(long token) throws SQLException {
        try (Jdbc jdbc = new Jdbc()) {
            String body = "text";
            int id = 1;
            //@4@
        }
    }

    private static void file(long token) throws IOException {
        String body = "text";
        Path before = Path.of("report");
        //@5@
        Files.deleteIfExists(before);
        Files.deleteIfExists(Path.of("report.token"));
    }

    private static final class Job {
        void cancel() {}
    }

    private static final class Repository {
        private Object saved = "";

        void save(Object report, long token) {
            if (token <= 0) {
                throw new AssertionError("a token is positive, not " + token);
            }
            saved = report;
        }
    }

    private static final class Jdbc implements AutoCloseable {
        private final Connection connection = DriverManager.getConnection("jdbc:h2:mem:resource");

        Jdbc() throws SQLException {
            update("CREATE TABLE report (id INT PRIMARY KEY, body VARCHAR, token BIGINT NOT NULL DEFAULT 0)");
            update("INSERT INTO report (id) VALUES (1)");
        }

        int update(String sql, Object... parameters) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < parameters.length; i++) {
                    statement.setObject(i + 1, parameters[i]);
                }
                return statement.executeUpdate();
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
