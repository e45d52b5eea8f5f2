package io.holdfast.bench.worker;

import io.holdfast.bench.contestant.CeilingScripts;
import io.holdfast.bench.contestant.CeilingScripts.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ceiling: claims and releases that follow each other without a thread in between. The locks are in two groups; all
 * claims of a group go out in one packet, and when the last answer is there all of its releases do. While the client is
 * busy with one group, the server has the other.
 */
final class ChainsTask implements Task {

    private static final int GROUPS = 2;
    /** How often a stranger looks, in pairs of the group. */
    private static final int STRANGER_LOOKS = 512;

    private static final long PATIENCE_SECONDS = 60;

    private final Assignment assignment;
    private final Marks marks;
    private @Nullable CeilingScripts scripts;

    ChainsTask(Assignment assignment, Marks marks) {
        this.assignment = assignment;
        this.marks = marks;
    }

    @Override
    public void prepare() {
        scripts = (CeilingScripts) assignment.open(false);
    }

    @Override
    public Findings run(Window window) throws Exception {
        CeilingScripts redis = scripts;
        if (redis == null) {
            throw new IllegalStateException("not prepared");
        }
        redis.holdBack();
        int groups = Math.min(GROUPS, assignment.locks());
        List<Group> all = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            Group group = new Group(redis, window);
            for (int lock = i; lock < assignment.locks(); lock += groups) {
                group.locks.add(lock);
                group.slots.add(redis.slot(assignment.name(lock)));
            }
            all.add(group);
        }
        all.forEach(Group::claim);
        long cpu = Cpu.usedWithin(window);
        for (Group group : all) {
            group.over.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        return Tally.sum(all.stream().map(group -> group.tally).toList()).put(Findings.CPU, cpu);
    }

    /** Its steps run on the event loop, one at a time. */
    private final class Group {

        private final CeilingScripts redis;
        private final Window window;
        private final Tally tally;
        private final List<Integer> locks = new ArrayList<>();
        private final List<Slot> slots = new ArrayList<>();
        private final List<Long> entered = new ArrayList<>();
        private final CompletableFuture<Void> over = new CompletableFuture<>();
        private long begin;
        private long pairs;
        private int unanswered;

        Group(CeilingScripts redis, Window window) {
            this.redis = redis;
            this.window = window;
            this.tally = new Tally(window);
        }

        private void claim() {
            begin = System.nanoTime();
            if (window.isOver(begin)) {
                over.complete(null);
                return;
            }
            send(Slot::claim, true, this::enter);
        }

        private void enter() {
            entered.clear();
            for (int lock : locks) {
                entered.add(marks.enter(lock, lock + 1L));
            }
            pairs += slots.size();
            if (pairs % STRANGER_LOOKS < slots.size()) {
                send(Slot::claimForAnother, false, this::leave);
            } else {
                leave();
            }
        }

        private void leave() {
            for (int i = 0; i < locks.size(); i++) {
                marks.leave(locks.get(i), locks.get(i) + 1L, entered.get(i));
            }
            send(Slot::release, true, this::count);
        }

        private void count() {
            long end = System.nanoTime();
            for (int i = 0; i < slots.size(); i++) {
                tally.add(begin, end);
            }
            claim();
        }

        /** Sends one command for each slot and goes on when all are answered, and as they should be. */
        private void send(Function<Slot, CompletionStage<Boolean>> command, boolean expected, Runnable next) {
            unanswered = slots.size();
            for (Slot slot : slots) {
                command.apply(slot).whenComplete((answer, error) -> {
                    if (error != null) {
                        over.completeExceptionally(error);
                        return;
                    }
                    if (answer != expected) {
                        marks.breach();
                    }
                    if (--unanswered == 0) {
                        next.run();
                    }
                });
            }
            redis.flush();
        }
    }
}
