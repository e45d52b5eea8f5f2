package io.holdfast.cli;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.ResourceType;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How programs are told of things: what becomes JSON. The names are part of what the command line promises. */
final class Structure {

    private Structure() {}

    static Map<String, @Nullable Object> of(ResourceType kind, LockState state) {
        Map<String, @Nullable Object> members = named(kind, state.name());
        if (kind == ResourceType.SEMAPHORE) {
            boolean known = state.permits() >= 0;
            members.put("permits", known ? state.permits() : null);
            members.put("free", known ? free(state) : null);
        } else {
            members.put("locked", state.isLocked());
        }
        members.put("holders", state.holders().stream().map(Structure::of).toList());
        members.put("waiters", state.waiters().stream().map(Structure::of).toList());
        return members;
    }

    static Map<String, @Nullable Object> of(String name, LatchState latch) {
        Map<String, @Nullable Object> members = named(ResourceType.LATCH, name);
        members.put("set", latch.exists());
        members.put("open", latch.isOpen());
        members.put("count", latch.count());
        return members;
    }

    static Map<String, @Nullable Object> of(Claimant claimant) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("claim", claimant.claimId());
        members.put("mode", claimant.mode().name().toLowerCase(Locale.ROOT));
        members.put("permits", claimant.permits());
        members.put("client", claimant.client());
        members.put("host", claimant.host());
        members.put("process", claimant.process());
        members.put("thread", claimant.thread());
        members.put("token", claimant.token());
        members.put("holds", claimant.holds());
        members.put("since", claimant.since() == null ? null : claimant.since().toString());
        members.put("timeLeftMillis", claimant.timeLeft().toMillis());
        return members;
    }

    static Map<String, @Nullable Object> named(ResourceType kind, String name) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("kind", kind.name().toLowerCase(Locale.ROOT));
        members.put("name", name);
        return members;
    }

    static int free(LockState semaphore) {
        return semaphore.permits()
                - semaphore.holders().stream().mapToInt(Claimant::permits).sum();
    }
}
