package io.holdfast.cas;

import io.holdfast.Guarantee;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A register that keeps its values in this JVM: for tests of the kernel, and as an example. Its commands are atomic and take no time. */
public final class MemoryRegister implements Register {

    private record Watch(MemoryRegister owner, String key, RegisterListener listener) {}

    /** What all clients of it share. */
    private static final class Cells {
        final boolean revisions;
        final TreeMap<String, Entry> entries = new TreeMap<>();
        final List<Watch> watches = new CopyOnWriteArrayList<>();
        long revision;

        Cells(boolean revisions) {
            this.revisions = revisions;
        }
    }

    private final Cells cells;
    private volatile boolean closed;

    /** @param revisions whether versions are revisions; otherwise there are none, and values are compared */
    public MemoryRegister(boolean revisions) {
        this(new Cells(revisions));
    }

    private MemoryRegister(Cells cells) {
        this.cells = cells;
    }

    /** Another client's access to the same values. */
    public MemoryRegister another() {
        return new MemoryRegister(cells);
    }

    @Override
    public String description() {
        return "a register in memory";
    }

    @Override
    public Guarantee guarantee() {
        return Guarantee.LOCAL;
    }

    @Override
    public boolean acrossProcesses() {
        return false;
    }

    @Override
    public boolean hasRevisions() {
        return cells.revisions;
    }

    @Override
    public CompletionStage<Optional<Entry>> get(String key) {
        return run(() -> Optional.ofNullable(cells.entries.get(key)));
    }

    @Override
    public CompletionStage<CasResult> cas(String key, @Nullable Entry expected, byte[] value, List<Signal> signals) {
        List<Runnable> heard = new ArrayList<>();
        CompletionStage<CasResult> answer = run(() -> {
            Entry current = cells.entries.get(key);
            if (!Objects.equals(expected, current)) {
                return new CasResult(false, current);
            }
            cells.revision++;
            Entry written = write(key, value, heard);
            signals.forEach(signal -> write(signal.key(), signal.value(), heard));
            return new CasResult(true, written);
        });
        heard.forEach(Runnable::run);
        return answer;
    }

    @Override
    public CompletionStage<CasResult> create(String key, byte[] value, String guard, @Nullable Entry guarded) {
        List<Runnable> heard = new ArrayList<>();
        CompletionStage<CasResult> answer = run(() -> {
            Entry current = cells.entries.get(key);
            if (current != null || !Objects.equals(guarded, cells.entries.get(guard))) {
                return new CasResult(false, current);
            }
            cells.revision++;
            return new CasResult(true, write(key, value, heard));
        });
        heard.forEach(Runnable::run);
        return answer;
    }

    private Entry write(String key, byte[] value, List<Runnable> heard) {
        Entry written = new Entry(value, cells.revisions ? cells.revision : 0);
        cells.entries.put(key, written);
        notify(key, written, heard);
        return written;
    }

    @Override
    public CompletionStage<CasResult> delete(String key, Entry expected) {
        List<Runnable> heard = new ArrayList<>();
        CompletionStage<CasResult> answer = run(() -> {
            Entry current = cells.entries.get(key);
            if (!Objects.equals(expected, current)) {
                return new CasResult(false, current);
            }
            cells.revision++;
            cells.entries.remove(key);
            notify(key, null, heard);
            return new CasResult(true, null);
        });
        heard.forEach(Runnable::run);
        return answer;
    }

    private void notify(String key, @Nullable Entry entry, List<Runnable> heard) {
        for (Watch watch : cells.watches) {
            if (watch.key.equals(key)) {
                heard.add(() -> watch.listener.changed(entry));
            }
        }
    }

    @Override
    public CompletionStage<List<Listed>> list(String prefix, String after, int limit) {
        return run(() -> {
            List<Listed> page = new ArrayList<>();
            for (Map.Entry<String, Entry> one : cells.entries
                    .tailMap(after.compareTo(prefix) < 0 ? prefix : after, after.isEmpty())
                    .entrySet()) {
                if (!one.getKey().startsWith(prefix) || page.size() == limit) {
                    break;
                }
                page.add(new Listed(one.getKey(), one.getValue()));
            }
            return page;
        });
    }

    @Override
    public Subscription watch(String key, RegisterListener listener) {
        Watch watch = new Watch(this, key, listener);
        cells.watches.add(watch);
        listener.resync();
        return () -> cells.watches.remove(watch);
    }

    private <T> CompletionStage<T> run(Supplier<T> step) {
        if (closed) {
            return CompletableFuture.failedStage(new StoreUnavailableException(description() + " was closed"));
        }
        synchronized (cells) {
            return CompletableFuture.completedStage(step.get());
        }
    }

    @Override
    public void close() {
        closed = true;
        cells.watches.removeIf(watch -> watch.owner == this);
    }
}
