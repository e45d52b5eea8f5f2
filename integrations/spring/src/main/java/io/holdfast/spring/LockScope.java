package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The holds under which the current thread runs, the innermost first. Ownership is with the locks; this is what a commit and a nested call
 * look at.
 */
final class LockScope {

    private static final ThreadLocal<Deque<Held>> SCOPES = new ThreadLocal<>();

    private LockScope() {}

    static void enter(Held held) {
        Deque<Held> scope = SCOPES.get();
        if (scope == null) {
            scope = new ArrayDeque<>(2);
            SCOPES.set(scope);
        }
        scope.push(held);
    }

    static void leave(Held held) {
        Deque<Held> scope = SCOPES.get();
        if (scope != null) {
            scope.removeFirstOccurrence(held);
            if (scope.isEmpty()) {
                SCOPES.remove();
            }
        }
    }

    /** The innermost lease, or {@code null} outside of a locked call. */
    static @Nullable Lease current() {
        Deque<Held> scope = SCOPES.get();
        Held first = scope == null ? null : scope.peek();
        return first == null ? null : first.lease();
    }

    /** The innermost hold that has that lock, alone or with others. */
    static @Nullable Held find(LockTarget target) {
        Deque<Held> scope = SCOPES.get();
        if (scope != null) {
            for (Held held : scope) {
                if (held.has(target.key())) {
                    return held;
                }
            }
        }
        return null;
    }

    /**
     * Checks every hold before a commit.
     *
     * @throws LeaseLostException if one of them is lost
     */
    static void verify() {
        Deque<Held> scope = SCOPES.get();
        if (scope != null) {
            scope.forEach(Held::verify);
        }
    }
}
