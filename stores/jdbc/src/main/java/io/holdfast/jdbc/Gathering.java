package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Commands of one sort that go to the database together if there are several at once: one statement and one commit for all
 * of them costs hardly more than for one. A command that is alone goes by itself. Those that come after it go together, and
 * while they are under way, the next ones gather.
 *
 * @param <A> what the database says
 */
final class Gathering<A> {

    private static final int MOST = 64;

    /** Answers for as many claims as it can, all of different names; by their ids. */
    interface Together<A> {
        Map<String, A> run(Connection connection, List<Claim> claims) throws SQLException;
    }

    /** Answers for one. */
    interface Alone<A> {

        /**
         * Asks.
         *
         * @param mayHaveRun whether it may have run before, and its answer was lost
         */
        A run(Connection connection, Claim claim, AtomicBoolean mayHaveRun) throws SQLException;
    }

    private record Pending<A>(Claim claim, AtomicBoolean mayHaveRun, Commands.Command<A> command) {}

    private final Commands commands;
    private final Together<A> together;
    private final Alone<A> alone;
    private final Queue<Pending<A>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean oneIsUnderWay = new AtomicBoolean();
    private final AtomicBoolean manyAreUnderWay = new AtomicBoolean();

    Gathering(Commands commands, Together<A> together, Alone<A> alone) {
        this.commands = commands;
        this.together = together;
        this.alone = alone;
    }

    /** @param what what is asked for, to begin error messages with */
    CompletableFuture<A> run(String what, Claim claim) {
        AtomicBoolean mayHaveRun = new AtomicBoolean();
        Commands.Command<A> command = commands.prepare(what, connection -> alone.run(connection, claim, mayHaveRun));
        waiting.add(new Pending<>(claim, mayHaveRun, command));
        begin();
        return command.answer();
    }

    private void begin() {
        if (!waiting.isEmpty() && manyAreUnderWay.compareAndSet(false, true)) {
            commands.run(new Rounds());
        }
    }

    /** Sends what has gathered until there is nothing left. */
    private final class Rounds implements Lanes.Task {

        @Override
        public void run() {
            List<Pending<A>> batch = List.of();
            try {
                batch = next();
                while (batch.size() > 1 || (batch.size() == 1 && oneIsUnderWay.get())) {
                    send(batch);
                    batch = next();
                }
                oneIsUnderWay.compareAndSet(false, !batch.isEmpty());
            } finally {
                end(); // what came since need not wait for the one
            }
            if (!batch.isEmpty()) {
                batch.get(0).command.run();
                oneIsUnderWay.set(false);
            }
        }

        @Override
        public void dropped() {
            for (Pending<A> one = waiting.poll(); one != null; one = waiting.poll()) {
                one.command.dropped();
            }
            end();
        }

        private void end() {
            manyAreUnderWay.set(false);
            begin(); // for who came and found it under way
        }
    }

    private List<Pending<A>> next() {
        Map<String, Pending<A>> batch = new HashMap<>();
        List<Pending<A>> later = new ArrayList<>();
        while (batch.size() < MOST) {
            Pending<A> one = waiting.poll();
            if (one == null) {
                break;
            }
            if (!one.command.isTooLate() && batch.putIfAbsent(one.claim.name(), one) != null) {
                later.add(one); // a statement does not change a row twice
            }
        }
        waiting.addAll(later);
        return List.copyOf(batch.values());
    }

    private void send(List<Pending<A>> batch) {
        Map<String, A> answers;
        try {
            answers = ask(batch);
        } catch (SQLException e) {
            if (!commands.isRefusal(e)) {
                batch.forEach(one -> one.command.fail(e));
                return;
            }
            answers = Map.of(); // it may be because of one of them
        } catch (RuntimeException | Error e) {
            batch.forEach(one -> one.command.fail(e));
            return;
        }
        for (Pending<A> one : batch) {
            A answer = answers.get(one.claim.id());
            if (answer == null) {
                commands.run(one.command);
            } else {
                one.command.answer().complete(answer);
            }
        }
    }

    private Map<String, A> ask(List<Pending<A>> batch) throws SQLException {
        List<Claim> claims = batch.stream().map(Pending::claim).toList();
        return commands.attempt(connection -> {
            try {
                return together.run(connection, claims);
            } catch (SQLException e) {
                if (commands.isLostAgainstAnother(e)) {
                    return Map.of(); // only one of them, perhaps, and the others need not wait for it
                }
                if (!commands.isRefusal(e)) {
                    batch.forEach(one -> one.mayHaveRun.set(true));
                }
                throw e;
            }
        });
    }
}
