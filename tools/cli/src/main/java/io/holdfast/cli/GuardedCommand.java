package io.holdfast.cli;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
    private final OutputOptions output;

    GuardedCommand(
            Lease lease, Duration leaseTime, Duration grace, BlockingQueue<Notice> notices, OutputOptions output) {
        this.lease = lease;
        this.grace = grace;
        Duration third = leaseTime.dividedBy(RENEWALS);
        this.early = grace.compareTo(third) < 0 ? grace : third;
        this.notices = notices;
        this.output = output;
    }

    int run(List<String> command) throws InterruptedException {
        try {
            if (notices.peek() instanceof Notice.Signalled signal) {
                return giveBack(Exit.bySignal(signal.number()));
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

    /** Whether the command has ended by itself; otherwise it has to be stopped. */
    private boolean watch(Child child) throws InterruptedException {
        while (true) {
            Duration good = lease.remaining().minus(early);
            if (good.isNegative()) {
                return false;
            }
            Notice notice = notices.poll(good.toMillis() + 1, TimeUnit.MILLISECONDS);
            if (notice == Notice.ENDED) {
                if (!child.awaitThoseWhoWereTold(grace)) {
                    output.tell("the command has ended, and left processes behind that were told to end and did not");
                }
                return true;
            }
            if (notice == Notice.LOST) {
                return false;
            }
            if (notice instanceof Notice.Signalled signal) {
                child.pass(signal);
            }
        }
    }

    private int stop(Child child) throws InterruptedException {
        String name = Text.quoted(lease.name());
        output.tell(
                lease.isValid()
                        ? "the lease of " + name + " could not be renewed and ends soon; stopping the command"
                        : "the lease of " + name + " is lost; stopping the command");
        child.stop(grace);
        giveBack(Exit.LEASE_LOST);
        return Exit.LEASE_LOST;
    }

    /**
     * The exit code, unless it turns out that part of the command ran without the lock. Waits for the store no longer than
     * there is something to give back.
     */
    private int giveBack(int exitCode) throws InterruptedException {
        Duration left = lease.remaining().plus(SECOND);
        try {
            lease.closeAsync().get(left.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof LeaseLostException) {
                if (exitCode != Exit.LEASE_LOST) {
                    output.tell("the lease of " + Text.quoted(lease.name()) + " was lost before the command had ended");
                }
                return Exit.LEASE_LOST;
            }
            output.tell(cause.getMessage() + "; the lock ends by its lease");
        } catch (TimeoutException e) {
            output.tell(
                    "the store does not answer; the lock of " + Text.quoted(lease.name()) + " has ended by its lease");
        }
        return exitCode;
    }
}
