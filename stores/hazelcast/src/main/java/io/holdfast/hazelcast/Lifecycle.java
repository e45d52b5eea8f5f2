package io.holdfast.hazelcast;

import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.core.LifecycleListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hears of a client's states from its first one on, and passes them on once there is a receiver. */
final class Lifecycle implements LifecycleListener {

    private final List<LifecycleState> early = new ArrayList<>();
    private @Nullable Consumer<LifecycleState> receiver;

    @Override
    public synchronized void stateChanged(LifecycleEvent event) {
        @Nullable Consumer<LifecycleState> now = receiver;
        if (now == null) {
            early.add(event.getState());
        } else {
            now.accept(event.getState());
        }
    }

    synchronized void passTo(Consumer<LifecycleState> to) {
        receiver = to;
        early.forEach(to);
        early.clear();
    }
}
