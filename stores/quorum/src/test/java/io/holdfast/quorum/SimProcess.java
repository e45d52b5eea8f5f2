package io.holdfast.quorum;

/** The process of one client, which stands still at times: what happens to it meanwhile it notices when it goes on. */
final class SimProcess implements Surroundings {

    private final SimWorld world;
    private long standsUntil;

    SimProcess(SimWorld world) {
        this.world = world;
        this.standsUntil = world.nanos();
    }

    void standStill(long nanos) {
        standsUntil = Math.max(standsUntil, world.nanos() + nanos);
    }

    /** Has the process do something, now or when it goes on. */
    void run(Runnable task) {
        long left = standsUntil - world.nanos();
        if (left > 0) {
            world.after(left, () -> run(task));
        } else {
            task.run();
        }
    }

    @Override
    public long nanos() {
        return world.nanos();
    }

    @Override
    public Runnable after(long nanos, Runnable task) {
        boolean[] cancelled = {false};
        Runnable cancel = world.after(
                nanos,
                () -> run(() -> {
                    if (!cancelled[0]) {
                        task.run();
                    }
                }));
        return () -> {
            cancelled[0] = true;
            cancel.run();
        };
    }

    @Override
    public long random(long bound) {
        return world.random(bound);
    }

    @Override
    public void close() {}
}
