package io.holdfast.cas;

import java.util.concurrent.atomic.AtomicLong;

/** The stamps of one store object. */
final class Stamps {

    private final long writer;
    private final AtomicLong numbers = new AtomicLong();

    Stamps(long writer) {
        this.writer = writer;
    }

    Stamp next() {
        return new Stamp(writer, numbers.incrementAndGet());
    }
}
