package io.holdfast.zookeeper;

import io.holdfast.StoreRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * What is added to the number of a transaction to make a token of it: zero, unless the tokens were raised above those of
 * another store. The root node holds it. A client reads it once; each grant checks, in its own transaction, that the root has
 * still the version which was read. So no grant begins below a base that was raised before it, and it costs no round trip.
 *
 * <p>A root that another program made may hold data of its own: Curator writes the host's address into the parents that it makes. There
 * the base is zero, and can't be raised.
 */
final class TokenBase {

    /**
     * The base in one version of the root.
     *
     * @param foreign whether the root holds data of another program
     */
    record Known(long base, int version, boolean foreign) {}

    private static final String LABEL = "holdfast tokens above ";

    private final Session session;
    private final String root;
    private volatile @Nullable Known known;

    TokenBase(Session session, String root) {
        this.session = session;
        this.root = root;
    }

    /** The base by which the next grant counts. */
    CompletableFuture<Known> known() {
        Known last = known;
        return last == null ? read().thenApply(this::keep) : CompletableFuture.completedFuture(last);
    }

    /** The base as far as this client has read it: enough for what only decides when leftovers may go. */
    long lastSeen() {
        Known last = known;
        return last == null ? 0 : last.base();
    }

    /** The last operation of a grant; if it is the one that fails, {@link #forget} and decide again. */
    Op check(Known counted) {
        return Op.check(root, counted.version());
    }

    void forget() {
        known = null;
    }

    /** Has every later grant begin above that token. Every transaction has a positive number, so the token itself serves as base. */
    CompletableFuture<Void> raise(long above) {
        CompletableFuture<Void> raised = read().thenCompose(last -> {
            if (last.foreign()) {
                throw foreign("tokens can't be raised there");
            }
            return last.base() >= above
                    ? CompletableFuture.completedFuture(null)
                    : session.set(root, (LABEL + above).getBytes(StandardCharsets.UTF_8), last.version())
                            .thenAccept(stat -> forget());
        });
        return Errors.unless(raised, code -> switch (code) {
            case BADVERSION -> raise(above); // by another client at the same time
            default -> null;
        });
    }

    private Known keep(Known read) {
        known = read;
        return read;
    }

    private CompletableFuture<Known> read() {
        CompletableFuture<Known> read = session.latestData(root)
                .thenApply(data -> parse(data.text(), data.stat().getVersion()));
        return Errors.unless(read, code -> switch (code) {
            case NONODE -> session.createAll(root).thenCompose(made -> read());
            default -> null;
        });
    }

    private Known parse(String text, int version) {
        if (!text.startsWith(LABEL)) {
            return new Known(0, version, !text.isEmpty());
        }
        try {
            return new Known(Long.parseLong(text, LABEL.length(), text.length(), 10), version, false);
        } catch (NumberFormatException e) {
            throw foreign("which tokens were raised above can't be read");
        }
    }

    private StoreRefusedException foreign(String why) {
        return new StoreRefusedException(
                "the node " + root + " holds data that is not Holdfast's, so " + why
                        + ": give the locks a node of their own, as in zookeeper://host/locks",
                false);
    }
}
