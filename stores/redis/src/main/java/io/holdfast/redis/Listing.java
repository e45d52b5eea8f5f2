package io.holdfast.redis;

import io.holdfast.LockState;
import io.holdfast.spi.Messages;
import io.holdfast.spi.ResourceType;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanCursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One search for the locks or semaphores whose names begin with a prefix. It goes through the keys with SCAN, a page after the other,
 * and looks at those that are hashes; it ends early when it has enough or when nobody wants its result any more.
 */
final class Listing {

    private static final int PAGE = 512;

    private final Servers servers;
    private final ResourceType kind;
    private final String prefix;
    private final int limit;
    private final KeyScanArgs args;
    private final String what;
    private final CompletableFuture<List<LockState>> result = new CompletableFuture<>();
    private final Set<String> seen = new HashSet<>();
    private final List<LockState> found = new ArrayList<>();

    Listing(Servers servers, ResourceType kind, String prefix, int limit) {
        this.servers = servers;
        this.kind = kind;
        this.prefix = prefix;
        this.limit = limit;
        this.args = KeyScanArgs.Builder.limit(PAGE).type("hash");
        if (kind == ResourceType.SEMAPHORE || !prefix.isEmpty()) {
            args.match(Keys.pattern(kind, prefix));
        }
        String what = kind == ResourceType.SEMAPHORE ? "Listing the semaphores" : "Listing the locks";
        this.what = prefix.isEmpty() ? what : what + " that begin with '" + Messages.line(prefix) + "'";
    }

    CompletableFuture<List<LockState>> run() {
        servers.masters().whenComplete((masters, error) -> {
            if (error == null) {
                scan(masters.iterator());
            } else {
                result.completeExceptionally(error);
            }
        });
        return result;
    }

    /** One server after the other. */
    private void scan(Iterator<Server> masters) {
        if (masters.hasNext() && found.size() < limit) {
            scan(masters.next(), ScanCursor.INITIAL, masters);
        } else {
            result.complete(List.copyOf(found.subList(0, Math.min(limit, found.size()))));
        }
    }

    private void scan(Server server, ScanCursor cursor, Iterator<Server> others) {
        server.<KeyScanCursor<String>, KeyScanCursor<String>>send(
                        what, connection -> connection.async().scan(cursor, args), page -> page)
                .whenComplete((page, error) -> {
                    if (error == null) {
                        inspect(server, page, others);
                    } else {
                        result.completeExceptionally(error);
                    }
                });
    }

    // Pages come one at a time, so the collections need no lock.
    private void inspect(Server server, KeyScanCursor<String> page, Iterator<Server> others) {
        List<CompletableFuture<Optional<LockState>>> looks = new ArrayList<>();
        for (String key : page.getKeys()) {
            String name = Keys.nameOf(kind, key);
            // SCAN may show a key more than once.
            if (name != null && name.startsWith(prefix) && seen.add(name)) {
                looks.add(look(name));
            }
        }
        Errors.all(looks, () -> looks).whenComplete((done, error) -> {
            if (error != null) {
                result.completeExceptionally(error);
                return;
            }
            done.forEach(it -> it.join().ifPresent(found::add));
            if (page.isFinished() || found.size() >= limit) {
                scan(others);
            } else if (!result.isDone()) {
                scan(server, page, others);
            }
        });
    }

    /** What is known of a name; nothing if it is free by now, or is not what it was taken for. */
    private CompletableFuture<Optional<LockState>> look(String name) {
        String[] keys = Keys.of(kind, name).line();
        return servers.run(Request.of(Messages.label(kind, name), Script.INSPECT, keys, new String[0], answer -> {
            Inspection inspection = Inspection.of(kind, answer);
            return inspection.holders().isEmpty() ? Optional.empty() : Optional.of(inspection.state(name));
        }));
    }
}
