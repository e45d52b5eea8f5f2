package io.holdfast.cas;

import io.holdfast.Guarantee;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A register whose commands take time, lose their answers, come late or twice, in an order that a seed decides. Time is simulated: it
 * goes on when {@link SimulatedTime} is run.
 */
final class FaultyRegister implements Register {

    /** How long after it was sent a command that is late still comes. */
    static final long LATEST = 20_000_000_000L;

    private static final long TIMEOUT = 1_000_000_000L;

    private final Register cells;
    private final SimulatedTime time;
    private final Random dice;
    private final int permille;
    private boolean dead;

    /** @param permille how many of a thousand writes go wrong */
    FaultyRegister(Register cells, SimulatedTime time, Random dice, int permille) {
        this.cells = cells;
        this.time = time;
        this.dice = dice;
        this.permille = permille;
    }

    /** Nothing of this client comes through any more. */
    void die() {
        dead = true;
    }

    private long travel() {
        return 100_000L + dice.nextInt(900_000);
    }

    private <T> CompletionStage<T> send(boolean writes, Supplier<CompletionStage<T>> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (dead) {
            return answer;
        }
        if (!writes || dice.nextInt(1_000) >= permille) {
            time.after(
                    travel(),
                    () -> command.get()
                            .whenComplete((result, failure) -> time.after(travel(), () -> answer.complete(result))));
            return answer;
        }
        time.after(TIMEOUT, () -> answer.completeExceptionally(new StoreUnavailableException("lost on purpose")));
        switch (dice.nextInt(4)) {
            case 0 -> {} // it is lost itself
            case 1 -> time.after(travel(), () -> run(command)); // only its answer is lost
            case 2 -> time.after(TIMEOUT / 2 + (long) (dice.nextDouble() * LATEST), () -> run(command));
            default -> {
                time.after(travel(), () -> run(command));
                time.after(TIMEOUT / 2 + (long) (dice.nextDouble() * LATEST), () -> run(command));
            }
        }
        return answer;
    }

    /** Runs a command whose answer nothing waits for. */
    private static <T> void run(Supplier<CompletionStage<T>> command) {
        CompletionStage<T> unheard = command.get();
        unheard.exceptionally(failure -> null);
    }

    @Override
    public CompletionStage<Optional<Entry>> get(String key) {
        return send(false, () -> cells.get(key));
    }

    @Override
    public CompletionStage<CasResult> cas(String key, @Nullable Entry expected, byte[] value, List<Signal> signals) {
        return send(true, () -> cells.cas(key, expected, value, signals));
    }

    @Override
    public CompletionStage<CasResult> create(String key, byte[] value, String guard, @Nullable Entry guarded) {
        return send(true, () -> cells.create(key, value, guard, guarded));
    }

    @Override
    public CompletionStage<CasResult> delete(String key, Entry expected) {
        return send(true, () -> cells.delete(key, expected));
    }

    @Override
    public CompletionStage<List<Listed>> list(String prefix, String after, int limit) {
        return send(false, () -> cells.list(prefix, after, limit));
    }

    @Override
    public Subscription watch(String key, RegisterListener listener) {
        return () -> {};
    }

    @Override
    public String description() {
        return "a register that fails";
    }

    @Override
    public Guarantee guarantee() {
        return Guarantee.LOCAL;
    }

    @Override
    public boolean hasRevisions() {
        return cells.hasRevisions();
    }

    @Override
    public void close() {}
}
