package io.holdfast.internal.lock;

import io.holdfast.Lease;
import io.holdfast.internal.Limits;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.store.Await;
import io.holdfast.internal.store.Futures;
import io.holdfast.internal.time.LeaseTerms;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The holds of one owner on all locks of a multi-lock, as one: good while all of them are. */
record MultiHold(List<HeldLease> parts) implements HeldLease {

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
        parts.forEach(HeldLease::stopKeeping);
    }

    @Override
    public void onLost(Consumer<? super Lease> action) {
        AtomicBoolean told = new AtomicBoolean();
        for (HeldLease part : parts) {
            part.onLost(lost -> {
                if (told.compareAndSet(false, true)) {
                    action.accept(this);
                }
            });
        }
    }

    @Override
    public int count() {
        return parts.stream().mapToInt(HeldLease::count).min().orElseThrow();
    }

    @Override
    public boolean tryEnter(LeaseTerms terms) {
        for (int i = 0; i < parts.size(); i++) {
            if (!parts.get(i).tryEnter(terms)) {
                parts.subList(0, i).forEach(HeldLease::undo);
                return false;
            }
        }
        return true;
    }

    @Override
    public void confirm() {
        parts.forEach(HeldLease::confirm);
    }

    @Override
    public CompletableFuture<Void> cancel() {
        return all(HeldLease::cancel);
    }

    @Override
    public void undo() {
        parts.forEach(HeldLease::undo);
    }

    @Override
    public void close() {
        Await.uninterruptibly(closeAsync());
    }

    @Override
    public void closeAfter(Duration delay) {
        Await.uninterruptibly(closeAfterAsync(Limits.lease(delay)));
    }

    @Override
    public CompletableFuture<Void> closeAfterAsync(Duration delay) {
        return all(part -> part.closeAfterAsync(delay));
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        return all(Lease::closeAsync);
    }

    private CompletableFuture<Void> all(Function<HeldLease, CompletableFuture<Void>> step) {
        return Futures.allOf(parts.stream().map(step).toList());
    }
}
