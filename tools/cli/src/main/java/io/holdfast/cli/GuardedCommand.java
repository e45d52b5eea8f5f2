package io.holdfast.cli;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A command under a lease, from its start until the lock is given back. It is stopped when the lease is lost, and before
 * that where the loss can be seen coming: when a lease that could not be renewed has only the grace time left, but no
 * more than a third of it, in which it is renewed. So a command under a lease of three grace times or more is gone when the
 * lease of an unreachable store ends.
 */
final class GuardedCommand {

    private static final int RENEWALS = 3;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Lease lease;
    private final Duration grace;
    private final Duration early;
    private final BlockingQueue<Notice> notices;
    private final Consumer<String> tells;
    private boolean told;
    private boolean answered = true;

    /** @param tells gets what is to be said */
    GuardedCommand(
            Lease lease, Duration leaseTime, Duration grace, BlockingQueue<Notice> notices, Consumer<String> tells) {
        this.lease = lease;
        this.grace = grace;
        Duration third = leaseTime.dividedBy(RENEWALS);
        this.early = grace.compareTo(third) < 0 ? grace : third;
        this.notices = notices;
        this.tells = tells;
    }

    /** Whether this process was told to end. */
    boolean wasTold() {
        return told;
    }

    /** Whether the store said, in the end, what became of the lock. */
    boolean wasAnswered() {
        return answered;
    }

    int run(List<String> command) throws InterruptedException {
        try {
            if (notices.peek() instanceof Notice.Signalled signal && !Signals.isHarmless(signal.name())) {
                told = true;
                return giveBack(Exit.bySignal(signal.number()));
            }
            if (isEnding()) {
                tells.accept("the lease of " + Text.quoted(lease.name())
                        + " is almost over before the command was started; it is not started");
                return giveBack(Exit.LEASE_LOST);
            }
            Child child = Child.start(command, lease.name(), lease.token());
            child.onEnd(() -> notices.add(Notice.ENDED));
            lease.onLost(lost -> notices.add(Notice.LOST));
            return watch(child) ? giveBack(child.exitCode()) : stop(child);
        } catch (CliException e) {
            giveBack(e.exitCode());
            throw e;
        }
    }

    /** Whether there is no more left of the lease than it takes to stop the command. */
    private boolean isEnding() {
        return lease.remaining().compareTo(early) < 0;
    }

    /** Whether the command has ended by itself; otherwise it has to be stopped. */
    private boolean watch(Child child) throws InterruptedException {
        while (true) {
            boolean ending = isEnding();
            // One that has ended in the last moment has ended, and need not be stopped.
            long wait = ending ? 0 : lease.remaining().minus(early).toMillis() + 1;
            Notice notice = notices.poll(wait, TimeUnit.MILLISECONDS);
            if (notice == Notice.ENDED || child.hasEnded()) {
                if (!child.awaitThoseWhoWereTold(grace)) {
                    tells.accept("the command has ended, and left processes behind that were told to end and did not");
                }
                return true;
            }
            if (notice == Notice.LOST || (notice == null && ending)) {
                return false;
            }
            if (notice instanceof Notice.Signalled signal) {
                told |= Signals.isEnding(signal.name());
                child.pass(signal);
            }
        }
    }

    private int stop(Child child) throws InterruptedException {
        String name = Text.quoted(lease.name());
        tells.accept(
                lease.isValid()
                        ? "the lease of " + name + " could not be renewed and ends soon; stopping the command"
                        : "the lease of " + name + " is lost; stopping the command");
        child.stop(grace);
        giveBack(Exit.LEASE_LOST);
        return Exit.LEASE_LOST;
    }

    /**
     * The exit code, unless it turns out that part of the command ran without the lock. Waits for the store no longer than
     * there is something to give back, and not for long where this process was told to end.
     */
    private int giveBack(int exitCode) throws InterruptedException {
        Duration left = lease.remaining().plus(SECOND);
        CompletableFuture<Void> closed = lease.closeAsync();
        if (!new Ending(notices).await(closed, told, left)) {
            answered = false;
            tells.accept("the store does not answer; the lock of " + Text.quoted(lease.name()) + " ends by its lease");
            return exitCode;
        }
        try {
            closed.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof LeaseLostException) {
                if (exitCode != Exit.LEASE_LOST) {
                    tells.accept(
                            "the lease of " + Text.quoted(lease.name()) + " was lost before the command had ended");
                }
                return Exit.LEASE_LOST;
            }
            tells.accept(cause.getMessage() + "; the lock ends by its lease");
        }
        return exitCode;
    }
}
