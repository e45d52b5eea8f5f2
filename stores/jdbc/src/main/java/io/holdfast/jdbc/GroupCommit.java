package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ReleaseResult;
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
import java.util.function.Function;

/**
 * Claims and releases that go to the database together if there are several at once: one statement and one commit for all of
 * them costs hardly more than for one. A command that is alone goes by itself. Those that come after it go together, and
 * while they are under way, the next ones gather.
 */
final class GroupCommit {

    private static final int MOST = 64;
    private static final Answers NONE = new Answers(Map.of(), Map.of());

    /** What came of those that went together, by their ids, as far as that tells. */
    record Answers(Map<String, ClaimResult> outcomes, Map<String, ReleaseResult> releases) {}

    /** Answers for as many claims and releases as it can, all of different names. */
    interface Together {
        Answers run(Connection connection, List<Claim> claims, List<Claim> releases) throws SQLException;
    }

    /**
     * One that waits to be sent.
     *
     * @param isRelease whether the claim is to end
     * @param mayHaveRun whether it may have run before, and its answer was lost
     * @param mine where its answer is
     */
    private record Pending<A>(
            Claim claim,
            boolean isRelease,
            AtomicBoolean mayHaveRun,
            Commands.Command<A> command,
            Function<Answers, Map<String, A>> mine) {

        /** Tells the one who asked, if there is anything to tell. */
        boolean isAnswered(Answers answers) {
            A answer = mine.apply(answers).get(claim.id());
            if (answer != null) {
                command.answer().complete(answer);
            }
            return answer != null;
        }
    }

    private final Commands commands;
    private final Together together;
    private final Queue<Pending<?>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean oneIsUnderWay = new AtomicBoolean();
    private final AtomicBoolean manyAreUnderWay = new AtomicBoolean();

    /** Of those that go together, one after the other. */
    private volatile boolean lastWereReleases;

    GroupCommit(Commands commands, Together together) {
        this.commands = commands;
        this.together = together;
    }

    /**
     * @param what what is asked for, to begin error messages with
     * @param alone does it if it goes by itself
     */
    CompletableFuture<ClaimResult> claim(String what, Claim claim, Commands.Work<ClaimResult> alone) {
        return add(new Pending<>(claim, false, new AtomicBoolean(), commands.prepare(what, alone), Answers::outcomes));
    }

    /**
     * @param what what is asked for, to begin error messages with
     * @param mayHaveRun set when it may have run, and its answer was lost
     * @param alone does it if it goes by itself
     */
    CompletableFuture<ReleaseResult> release(
            String what, Claim claim, AtomicBoolean mayHaveRun, Commands.Work<ReleaseResult> alone) {
        return add(new Pending<>(claim, true, mayHaveRun, commands.prepare(what, alone), Answers::releases));
    }

    private <A> CompletableFuture<A> add(Pending<A> one) {
        waiting.add(one);
        begin();
        return one.command.answer();
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
            List<Pending<?>> batch = List.of();
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
            for (Pending<?> one = waiting.poll(); one != null; one = waiting.poll()) {
                one.command.dropped();
            }
            end();
        }

        private void end() {
            manyAreUnderWay.set(false);
            begin(); // for who came and found it under way
        }
    }

    /**
     * Claims and releases take turns: threads that use their locks briefly then all come at the same time, and a statement
     * with releases alone need not wait for the disk.
     */
    private List<Pending<?>> next() {
        boolean releases = isAnyWaiting(!lastWereReleases) != lastWereReleases;
        lastWereReleases = releases;
        Map<String, Pending<?>> batch = new HashMap<>();
        List<Pending<?>> later = new ArrayList<>();
        while (batch.size() < MOST) {
            Pending<?> one = waiting.poll();
            if (one == null) {
                break;
            }
            // A statement does not change a row twice.
            if (!one.command.isTooLate()
                    && (one.isRelease != releases || batch.putIfAbsent(one.claim.name(), one) != null)) {
                later.add(one);
            }
        }
        waiting.addAll(later);
        return List.copyOf(batch.values());
    }

    private boolean isAnyWaiting(boolean release) {
        for (Pending<?> one : waiting) {
            if (one.isRelease == release) {
                return true;
            }
        }
        return false;
    }

    private void send(List<Pending<?>> batch) {
        Answers answers;
        try {
            answers = ask(batch);
        } catch (SQLException e) {
            if (!commands.isRefusal(e)) {
                batch.forEach(one -> one.command.fail(e));
                return;
            }
            answers = NONE; // it may be because of one of them
        } catch (RuntimeException | Error e) {
            batch.forEach(one -> one.command.fail(e));
            return;
        }
        for (Pending<?> one : batch) {
            if (!one.isAnswered(answers)) {
                commands.run(one.command);
            }
        }
    }

    private Answers ask(List<Pending<?>> batch) throws SQLException {
        List<Claim> claims = new ArrayList<>();
        List<Claim> releases = new ArrayList<>();
        batch.forEach(one -> (one.isRelease ? releases : claims).add(one.claim));
        return commands.attempt(connection -> {
            try {
                return together.run(connection, claims, releases);
            } catch (SQLException e) {
                if (commands.isLostAgainstAnother(e)) {
                    return NONE; // only one of them, perhaps, and the others need not wait for it
                }
                if (!commands.isRefusal(e)) {
                    batch.forEach(one -> one.mayHaveRun.set(true));
                }
                throw e;
            }
        });
    }
}
