package io.holdfast;

/** A listener of {@link Election#observe}, until it is closed. */
public interface Observation extends AutoCloseable {

    /** Tells the listener nothing new. A call that has begun ends by itself. */
    @Override
    void close();
}
