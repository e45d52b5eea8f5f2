package io.holdfast.jdbc;

import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Messages;
import io.holdfast.spi.ResourceType;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Latches: a row for each, which stays without an id when its latch is deleted, beside the ids that have counted. */
final class Latches implements LatchStore {

    private static final long KEPT_MICROS = Micros.of(KEPT);

    /** A latch that is only looked at is written this often. */
    private static final long TOUCH_MICROS = Micros.of(Duration.ofHours(1));

    /** A latch as it is read, and as it is to be written. */
    private static final class Latch {
        String id = "";
        long count;
        long changes;
        boolean changed;

        /** Whether those who watch are to be told. */
        boolean told;

        void set(String id, long count, boolean tell) {
            this.id = id;
            this.count = count;
            changed = true;
            if (tell) {
                told = true;
                changes++;
            }
        }

        LatchState state() {
            return new LatchState(id, count);
        }
    }

    private interface Step<T> {
        T run(Connection connection, Latch latch) throws SQLException;
    }

    private record Done<T>(T answer, boolean told) {}

    private final Commands commands;
    private final Dialect dialect;
    private final Transactions transactions;
    private final AppliedChanges changes;
    private final Watchers watches;

    Latches(Commands commands, Dialect dialect, Transactions transactions, AppliedChanges changes, Watchers watches) {
        this.commands = commands;
        this.dialect = dialect;
        this.transactions = transactions;
        this.changes = changes;
        this.watches = watches;
    }

    @Override
    public CompletionStage<LatchState> set(String name, String id, long count) {
        Arguments.text("a latch's id", id);
        return change(name, true, (connection, latch) -> {
            if (latch.id.isEmpty()) {
                latch.set(id, count, true);
            }
            return latch.state();
        });
    }

    @Override
    public CompletionStage<LatchState> countDown(String name, String id) {
        Arguments.text("the id of a count-down", id);
        return change(name, false, (connection, latch) -> {
            if (latch.count > 0 && changes.tryNote(connection, key(name), id)) {
                latch.set(latch.id, latch.count - 1, latch.count == 1);
            }
            return latch.state();
        });
    }

    @Override
    public CompletionStage<Boolean> delete(String name, String id) {
        Arguments.text("a latch's id", id);
        return change(name, false, (connection, latch) -> {
            boolean its = latch.id.equals(id);
            if (its) {
                latch.set("", 0, true);
            }
            return its;
        });
    }

    @Override
    public CompletionStage<LatchState> look(String name) {
        Arguments.name(name);
        return commands.run(what(name), connection -> {
            Latch latch = read(connection, "latch_look", name);
            if (latch == null) {
                return LatchState.NONE;
            }
            if (latch.changed) {
                try (Bound touch = dialect.sql("latch_touch").on(connection)) {
                    touch.set("name", Key.bytes(name)).update();
                }
            }
            return latch.state();
        });
    }

    private <T> CompletionStage<T> change(String name, boolean make, Step<T> step) {
        Arguments.name(name);
        return commands.run(what(name), connection -> {
            Done<T> done = transactions.run(connection, c -> {
                Latch latch = read(c, "latch_lock", name);
                if (latch == null && make) {
                    latch = make(c, name);
                }
                if (latch == null) {
                    return new Done<>(step.run(c, new Latch()), false);
                }
                T answer = step.run(c, latch);
                write(c, name, latch);
                return new Done<>(answer, latch.told);
            });
            if (done.told) {
                watches.changed(key(name));
            }
            return done.answer;
        });
    }

    private Latch make(Connection connection, String name) throws SQLException {
        try (Bound insert = dialect.sql("latch_make").on(connection)) {
            insert.set("name", Key.bytes(name)).set("id", new byte[0]).update();
        }
        Latch latch = read(connection, "latch_lock", name);
        if (latch != null) {
            return latch;
        }
        // It is there, and nobody has used it for longer than it is kept.
        try (Bound forget = dialect.sql("clean_changes_of").on(connection)) {
            forget.set("kind", Key.LATCH).set("name", Key.bytes(name)).update();
        }
        return new Latch();
    }

    /** {@code null} if there is none, or only one older than latches are kept; {@code changed} if it should be touched. */
    private @Nullable Latch read(Connection connection, String statement, String name) throws SQLException {
        try (Bound select = dialect.sql(statement).on(connection).set("name", Key.bytes(name));
                ResultSet row = select.query()) {
            if (!row.next()) {
                return null;
            }
            long unused = row.getLong("now_at") - row.getLong("used_at");
            if (unused >= KEPT_MICROS) {
                return null;
            }
            Latch latch = new Latch();
            latch.id = Key.text(row.getBytes("id"));
            latch.count = row.getLong("remaining");
            latch.changes = row.getLong("changes");
            latch.changed = unused >= TOUCH_MICROS;
            return latch;
        }
    }

    private void write(Connection connection, String name, Latch latch) throws SQLException {
        if (latch.changed) {
            try (Bound save = dialect.sql("latch_save").on(connection)) {
                save.set("name", Key.bytes(name))
                        .set("id", Key.bytes(latch.id))
                        .set("remaining", latch.count)
                        .set("changes", latch.changes)
                        .update();
            }
        }
        if (latch.told) {
            dialect.tell(connection, key(name), Message.changed(key(name)), watches.me());
        }
    }

    private static Key key(String name) {
        return new Key(Key.LATCH, name);
    }

    private static String what(String name) {
        return Messages.label(ResourceType.LATCH, name);
    }
}
