package io.holdfast.spi;

/** A watch that is in place until it is closed. */
public interface Subscription extends AutoCloseable {

    /** Ends the watch without waiting; a call that is under way may still arrive. */
    @Override
    void close();
}
