package io.holdfast.cas;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The floor of a register without revisions: no token or ticket of a line that was removed is above it, so a line that is made later
 * begins above it. It is raised before a line is removed, and read after a line was made.
 */
final class Floors {

    private Floors() {}

    static long of(Entry entry) {
        try {
            Bytes.Reader in = new Bytes.Reader(Keys.FLOOR, entry.value());
            in.stamp();
            return in.number();
        } catch (IndexOutOfBoundsException e) {
            throw Bytes.Reader.foreign(Keys.FLOOR);
        }
    }

    static CompletableFuture<Void> raise(Kernel kernel, long least) {
        return kernel.register().get(Keys.FLOOR).toCompletableFuture().thenCompose(found -> {
            if (found.isPresent() && of(found.get()) >= least) {
                return CompletableFuture.completedFuture(null);
            }
            Bytes.Writer out = new Bytes.Writer(kernel.stamps().next());
            out.number(least);
            return kernel.register()
                    .cas(Keys.FLOOR, found.orElse(null), out.bytes(), List.of())
                    .toCompletableFuture()
                    .thenCompose(result ->
                            result.applied() ? CompletableFuture.completedFuture(null) : raise(kernel, least));
        });
    }
}
