package io.holdfast.simulation;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.LockOptions;
import io.holdfast.internal.lock.LockFactory;
import io.holdfast.spi.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a caller asks for: one lock in one mode, some permits, or several locks as one.
 *
 * @param parts what it is made of; more than one for a multi-lock
 * @param permits how many permits, 1 for locks
 */
record Want(List<Part> parts, int permits) {

    /**
     * One name.
     *
     * @param fair whether those who came before come first
     */
    record Part(Target target, Mode mode, boolean fair) {

        DistributedLock lock(LockFactory locks, LockOptions options) {
            LockOptions its = fair ? options.fair() : options;
            return mode == Mode.SHARED
                    ? locks.readWriteLock(target.name(), its).readLock()
                    : locks.lock(target.name(), its);
        }

        /** Whether those of one client who want it share one claim. */
        boolean isPlain() {
            return mode == Mode.EXCLUSIVE && !fair;
        }

        Part in(Mode other) {
            return new Part(target, other, fair);
        }
    }

    static final Want NOTHING = new Want(List.of(), 0);

    /** Something that the world has. */
    static Want any(World world) {
        Dice dice = world.dice;
        List<Target> locks = world.targets.stream().filter(Target::isLock).toList();
        if (world.scenario.multi && locks.size() > 1 && (world.scenario.contest || dice.percent(60))) {
            List<Target> some = new ArrayList<>(locks);
            dice.shuffle(some);
            return new Want(
                    some.subList(0, dice.between(2, some.size())).stream()
                            .map(target -> part(target, dice))
                            .toList(),
                    1);
        }
        Target target = dice.pick(world.targets);
        // Now and then more than there are, which is refused.
        int permits = target.isLock()
                ? 1
                : dice.between(1, dice.percent(5) ? target.capacity() + 1 : Math.min(3, target.capacity()));
        return new Want(List.of(part(target, dice)), permits);
    }

    private static Part part(Target target, Dice dice) {
        boolean fair = target.isFair() || (target.sort() == Target.Sort.MIXED && dice.percent(50));
        Mode mode = !target.isLock()
                ? Mode.PERMITS
                : target.isReadWrite() && dice.percent(45) ? Mode.SHARED : Mode.EXCLUSIVE;
        return new Part(target, mode, fair);
    }

    boolean isMulti() {
        return parts.size() > 1;
    }

    boolean isPermits() {
        return mode() == Mode.PERMITS;
    }

    /** Of one that is not a multi-lock. */
    Part part() {
        return parts.get(0);
    }

    Mode mode() {
        return part().mode();
    }

    boolean isFor(String name) {
        for (Part part : parts) {
            if (part.target().name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** The same lock for reading or writing. */
    Want in(Mode other) {
        return new Want(List.of(part().in(other)), 1);
    }

    DistributedLock lock(LockFactory locks, LockOptions options) {
        return isMulti()
                ? LockFactory.multiLock(
                        parts.stream().map(part -> part.lock(locks, options)).toList())
                : part().lock(locks, options);
    }

    DistributedSemaphore semaphore(LockFactory locks, LockOptions options) {
        Target target = part().target();
        return locks.semaphore(target.name(), target.capacity(), part().fair() ? options.fair() : options);
    }

    @Override
    public String toString() {
        return parts.stream()
                .map(part -> part.target().name()
                        + switch (part.mode()) {
                            case EXCLUSIVE -> "";
                            case SHARED -> " to read";
                            case PERMITS -> " × " + permits;
                        }
                        + (part.fair() ? " fairly" : ""))
                .collect(Collectors.joining(" and "));
    }
}
