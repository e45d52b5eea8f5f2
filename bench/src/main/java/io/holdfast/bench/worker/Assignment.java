package io.holdfast.bench.worker;

import io.holdfast.bench.contestant.Address;
import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.contestant.LockClient;
import io.holdfast.bench.contestant.Usage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;

/**
 * What one worker process is to do. It is passed on in the environment: a command line, and with it a password, could be
 * seen by every user of the machine.
 */
public record Assignment(Map<String, String> values) {

    private static final String PREFIX = "HOLDFAST_BENCH_";

    public static final String CONTESTANT = "contestant";
    public static final String TASK = "task";
    public static final String URL = "url";
    /** What the names of all locks begin with. */
    public static final String NAMES = "names";
    /** Which of the processes this is, from 0. */
    public static final String PROCESS = "process";
    /** How many of them there are. */
    public static final String PROCESSES = "processes";

    public static final String MARKS = "marks";
    public static final String LEASE_MILLIS = "lease";
    public static final String THREADS = "threads";
    public static final String LOCKS = "locks";
    /** How many clients all processes have together. */
    public static final String CLIENTS = "clients";
    /** How long a lock is kept before it is given back. */
    public static final String HOLD_MICROS = "hold";
    /** Whether the lock is a fair one. */
    public static final String FAIR = "fair";
    /** So many pairs for each thread, instead of as many as fit the time. */
    public static final String PAIRS = "pairs";
    /** Whether another client looks now and then if a lock that is held is really taken. */
    public static final String STRANGER = "stranger";
    /** How long the CPU of an idle client is looked at, before it has something to do. */
    public static final String IDLE_MILLIS = "idle";

    public static final long DEFAULT_LEASE_MILLIS = 30_000;

    public Assignment {
        values = Map.copyOf(values);
    }

    public Assignment with(String key, Object value) {
        Map<String, String> more = new HashMap<>(values);
        more.put(key, String.valueOf(value));
        return new Assignment(more);
    }

    static Assignment from(Map<String, String> environment) {
        Map<String, String> values = new HashMap<>();
        environment.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                values.put(key.substring(PREFIX.length()), value);
            }
        });
        return new Assignment(values);
    }

    public void writeTo(Map<String, String> environment) {
        values.forEach((key, value) -> environment.put(PREFIX + key, value));
    }

    String text(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("the worker was not told its " + key);
        }
        return value;
    }

    long number(String key, long otherwise) {
        String value = values.get(key);
        return value == null ? otherwise : Long.parseLong(value);
    }

    boolean flag(String key) {
        return Boolean.parseBoolean(values.get(key));
    }

    int process() {
        return (int) number(PROCESS, 0);
    }

    int processes() {
        return (int) number(PROCESSES, 1);
    }

    int locks() {
        return (int) number(LOCKS, 1);
    }

    Path marks() {
        return Path.of(text(MARKS));
    }

    Contestant contestant() {
        return Contestant.of(text(CONTESTANT));
    }

    /** A new client of the contestant. */
    LockClient open(boolean renewing) {
        return open(renewing, false);
    }

    /** A new client for a single thread, one of many. */
    LockClient openAlone() {
        return open(false, true);
    }

    private LockClient open(boolean renewing, boolean alone) {
        Duration lease = Duration.ofMillis(number(LEASE_MILLIS, DEFAULT_LEASE_MILLIS));
        return contestant().open(Address.parse(text(URL)), new Usage(lease, renewing, alone));
    }

    /** The name of the lock with that number. */
    String name(int lock) {
        return text(NAMES) + lock;
    }

    /** The lock with that number, fair if that is what is measured. */
    Lock lock(LockClient client, int lock) {
        return flag(FAIR) ? client.fairLock(name(lock)) : client.lock(name(lock));
    }
}
