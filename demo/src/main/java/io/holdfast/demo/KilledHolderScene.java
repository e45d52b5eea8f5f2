package io.holdfast.demo;

import java.io.IOException;
import java.time.Duration;

/** The holder of a lock dies in the middle of its work, and the next one takes over when its lease has run out. */
final class KilledHolderScene implements Scene {

    private final Duration lease;
    private final int steps;

    KilledHolderScene(Duration lease) {
        this.lease = lease;
        // Twice the lease: so the holder, killed when three quarters are done, must have renewed its lock before.
        this.steps = (int) (lease.toMillis() * 2 / LongJob.STEP_MILLIS);
    }

    @Override
    public String title() {
        return "The holder is killed (SIGKILL) in the middle of its work; its lease is " + lease.toSeconds() + " s";
    }

    @Override
    public Result play(Crew crew, Progress progress) throws IOException, InterruptedException {
        WorkerProcess first = crew.workers().get(0);
        WorkerProcess second = crew.workers().get(1);
        first.tell("work " + steps);
        long token = first.await("granted").number(0);
        long granted = System.nanoTime();
        second.tell("work " + steps);
        progress.line(first.name() + " has the lock (token " + token + "), " + second.name() + " waits for it");

        int killedAt = followUntil(steps * 3 / 4, first, progress);
        Duration held = Text.since(granted);
        first.kill();
        long killed = System.nanoTime();
        progress.line(first.name() + " is killed at step " + killedAt + "; renewing the lock, it held it for "
                + Text.seconds(held));

        crew.startWorker();
        Takeover takeover = Takeover.await(second, killed, lease, "the lease to run out", progress);
        boolean inTime = takeover.within(lease) && takeover.token() > token;
        progress.verdict(
                inTime,
                String.format(
                        "%s has the lock (token %d) %s after the kill",
                        second.name(), takeover.token(), Text.seconds(takeover.after())));

        followUntil(steps, second, progress);
        second.await("finished");
        progress.line(second.name() + " went on at step " + takeover.granted().detail(1) + " and did the rest");
        return Result.of(
                "3 holder killed",
                "taken over within " + lease.toSeconds() + " s",
                "after " + Text.seconds(takeover.after()),
                inTime && crew.data().step() == steps);
    }

    private int followUntil(int step, WorkerProcess worker, Progress progress) throws InterruptedException {
        int done = 0;
        while (done < step) {
            done = (int) worker.await("step").number(0);
            progress.bar((double) done / steps, worker.name() + " is at step " + done + " of " + steps);
        }
        return done;
    }
}
