package io.holdfast.spi;

/**
 * What a store knows of a latch.
 *
 * @param id the id that it was set with; empty if there is none. A latch that was deleted and set again has another one
 * @param count how often it has to be counted down yet; 0 when it is open, and when there is none
 */
public record LatchState(String id, long count) {

    /** There is no latch of that name. */
    public static final LatchState NONE = new LatchState("", 0);

    public boolean exists() {
        return !id.isEmpty();
    }

    public boolean isOpen() {
        return exists() && count == 0;
    }
}
