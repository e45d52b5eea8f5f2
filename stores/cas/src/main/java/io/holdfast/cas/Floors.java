package io.holdfast.cas;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The floor of all tokens and tickets of one register.
 *
 * <p>Without revisions, no token of a line that was removed is above it, so a line that is made later begins above it. It is raised before a
 * line is removed, and read after a line was made.
 *
 * <p>With revisions, it is added to what tokens count from, and is 0 until tokens are {@linkplain CasStore#raiseTokens raised}. A line is
 * made on the condition that the floor is the one that its writer knows.
 */
final class Floors {

    private final Kernel kernel;
    private volatile @Nullable Entry known;

    Floors(Kernel kernel) {
        this.kernel = kernel;
    }

    /** The entry that was last seen; {@code null} if the key was absent, or was not read yet. */
    @Nullable
    Entry known() {
        return known;
    }

    static long of(@Nullable Entry entry) {
        if (entry == null) {
            return 0;
        }
        try {
            Bytes.Reader in = new Bytes.Reader(Keys.FLOOR, entry.value());
            in.stamp();
            return in.number();
        } catch (IndexOutOfBoundsException e) {
            throw Bytes.Reader.foreign(Keys.FLOOR);
        }
    }

    CompletableFuture<Long> read() {
        return kernel.register().get(Keys.FLOOR).toCompletableFuture().thenApply(found -> {
            known = found.orElse(null);
            return of(known);
        });
    }

    CompletableFuture<Void> raise(long least) {
        return read().thenCompose(floor -> {
            if (floor >= least) {
                return CompletableFuture.completedFuture(null);
            }
            Bytes.Writer out = new Bytes.Writer(kernel.stamps().next());
            out.number(least);
            return kernel.register()
                    .cas(Keys.FLOOR, known, out.bytes(), List.of())
                    .toCompletableFuture()
                    .thenCompose(result -> {
                        known = result.entry();
                        return result.applied() ? CompletableFuture.completedFuture(null) : raise(least);
                    });
        });
    }
}
