package io.holdfast.demo;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.demo.Logbook.Entry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Processes queue for a fair lock and are served in order; then one dies that has several places in front. */
final class FairQueueScene implements Scene {

    /** A ticket lasts for 3 s; then the next waiter notices within a second. */
    private static final Duration PROMISED = Duration.ofSeconds(4);

    private static final int PLACES_OF_THE_DEAD = 3;
    private static final Duration LONGEST = Duration.ofSeconds(10);

    @Override
    public String title() {
        return "A fair lock: first come, first served; the dead are passed within " + PROMISED.toSeconds() + " s";
    }

    @Override
    public Result play(Crew crew, Progress progress) throws IOException, InterruptedException {
        boolean inOrder = serve(crew, progress);
        Takeover takeover = killTheFirst(crew, progress);
        boolean inTime = takeover.within(PROMISED);
        String seen = (inOrder ? "in order, " : "OUT OF ORDER, ") + Text.seconds(takeover.after());
        return Result.of(
                "9 fair lock", "in order, dead gone in " + PROMISED.toSeconds() + " s", seen, inOrder && inTime);
    }

    /** Each worker asks twice, all in an order that is drawn by lot. */
    private static boolean serve(Crew crew, Progress progress) throws IOException, InterruptedException {
        List<WorkerProcess> asking = new ArrayList<>(crew.workers());
        asking.addAll(crew.workers());
        Collections.shuffle(asking);
        crew.data().logbook().clear();
        try (Lease held = lock(crew).acquire()) {
            queueUp(asking, crew, progress);
        }
        for (WorkerProcess worker : asking) {
            worker.await("done");
        }
        List<Entry> entries = crew.data().logbook().entries();
        String asked = numbers(asking.stream().map(WorkerProcess::name).toList());
        String served = numbers(entries.stream()
                .filter(entry -> entry.doing() == Doing.INSIDE)
                .map(Entry::worker)
                .toList());
        progress.drawing(Timeline.of(entries));
        progress.line("asked:  " + asked);
        progress.verdict(served.equals(asked), "served: " + served);
        return served.equals(asked);
    }

    private static Takeover killTheFirst(Crew crew, Progress progress) throws IOException, InterruptedException {
        WorkerProcess first = crew.workers().get(0);
        WorkerProcess next = crew.workers().get(1);
        Logbook logbook = crew.data().logbook();
        logbook.clear();
        List<WorkerProcess> asking = new ArrayList<>(Collections.nCopies(PLACES_OF_THE_DEAD, first));
        asking.add(next);
        long killed;
        try (Lease held = lock(crew).acquire()) {
            queueUp(asking, crew, progress);
            first.kill();
            killed = System.nanoTime();
            logbook.write(first.name(), Doing.DIES);
        }
        Takeover takeover = Takeover.await(next, killed, PROMISED, "the places of the dead to go", progress);
        next.await("done");
        progress.drawing(Timeline.of(logbook.entries()));
        progress.verdict(
                takeover.within(PROMISED),
                String.format(
                        "%s is killed with %d places in front; %s is served %s later",
                        first.name(), PLACES_OF_THE_DEAD, next.name(), Text.seconds(takeover.after())));
        return takeover;
    }

    /** One after the other: the next one asks when the one before is seen in the queue. */
    private static void queueUp(List<WorkerProcess> asking, Crew crew, Progress progress)
            throws IOException, InterruptedException {
        for (int place = 1; place <= asking.size(); place++) {
            asking.get(place - 1).tell("queue");
            long start = System.nanoTime();
            while (crew.holdfast().inspect(lock(crew).getName()).waiters().size() < place) {
                if (Text.since(start).compareTo(LONGEST) > 0) {
                    throw new DemoException(asking.get(place - 1).name() + " is not seen in the queue");
                }
                Thread.sleep(5);
            }
            progress.bar((double) place / asking.size(), place + " in the queue");
        }
    }

    private static DistributedLock lock(Crew crew) {
        return crew.holdfast().fairLock(crew.name("queue"));
    }

    private static String numbers(List<String> workers) {
        return workers.stream().map(name -> name.replace("worker-", "")).collect(Collectors.joining(" "));
    }
}
