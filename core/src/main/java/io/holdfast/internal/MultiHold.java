package io.holdfast.internal;

import io.holdfast.Lease;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The holds of one owner on all locks of a multi-lock, as one: good while all of them are. */
record MultiHold(List<Held> parts) implements Held {

    @Override
    public String name() {
        return parts.stream().map(Lease::name).collect(Collectors.joining(", ", "[", "]"));
    }

    @Override
    public long token() {
        return parts.get(0).token();
    }

    @Override
    public boolean isValid() {
        return parts.stream().allMatch(Lease::isValid);
    }

    @Override
    public Duration remaining() {
        return parts.stream()
                .map(Lease::remaining)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    @Override
    public void extend(Duration lease) {
        Await.uninterruptibly(extendAsync(Limits.lease(lease)));
    }

    @Override
    public CompletableFuture<Void> extendAsync(Duration lease) {
        return all(part -> part.extendAsync(lease));
    }

    @Override
    public void stopKeeping() {
        parts.forEach(Held::stopKeeping);
    }

    @Override
    public void onLost(Consumer<? super Lease> action) {
        AtomicBoolean told = new AtomicBoolean();
        for (Held part : parts) {
            part.onLost(lost -> {
                if (told.compareAndSet(false, true)) {
                    action.accept(this);
                }
            });
        }
    }

    @Override
    public int count() {
        return parts.stream().mapToInt(Held::count).min().orElseThrow();
    }

    @Override
    public boolean enter(Terms terms) {
        for (int i = 0; i < parts.size(); i++) {
            if (!parts.get(i).enter(terms)) {
                parts.subList(0, i).forEach(Held::undo);
                return false;
            }
        }
        return true;
    }

    @Override
    public void confirm() {
        parts.forEach(Held::confirm);
    }

    @Override
    public CompletableFuture<Void> cancel() {
        return all(Held::cancel);
    }

    @Override
    public void undo() {
        parts.forEach(Held::undo);
    }

    @Override
    public void close() {
        Await.uninterruptibly(closeAsync());
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        return all(Lease::closeAsync);
    }

    private CompletableFuture<Void> all(Function<Held, CompletableFuture<Void>> step) {
        return Joined.of(parts.stream().map(step).toList());
    }
}
