package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.LockClient;
import java.util.concurrent.locks.Lock;

/** A lock that its client keeps between two pairs, where there is such a thing. */
public class Linger extends Uncontended {

    @Override
    Lock lock(LockClient client, String name) {
        return client.lingeringLock(name);
    }
}
