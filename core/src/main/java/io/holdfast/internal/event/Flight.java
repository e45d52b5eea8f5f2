package io.holdfast.internal.event;

import io.holdfast.LossReason;
import io.holdfast.spi.Mode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Events for the JDK's flight recorder. Where nothing is recorded, or the JDK has no recorder, nothing is made: each method that begins an
 * event returns {@code null} then, and what ends one is not called.
 */
public final class Flight {

    private static final boolean AVAILABLE = isAvailable();

    private Flight() {}

    private static boolean isAvailable() {
        try {
            Class.forName("jdk.jfr.Event", false, Flight.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false; // the module jdk.jfr is not there
        }
    }

    /** A caller begins to wait; {@code null} if that is not recorded. */
    public static @Nullable Object waitBegins() {
        return AVAILABLE ? Recorder.waitBegins() : null;
    }

    /** The wait is over. */
    public static void waitEnds(
            Object event, String name, Mode mode, String outcome, long token, boolean asynchronous, String requester) {
        Recorder.waitEnds(event, name, mode, outcome, token, asynchronous, requester);
    }

    /** A hold begins; {@code null} if that is not recorded. */
    public static @Nullable Object holdBegins() {
        return AVAILABLE ? Recorder.holdBegins() : null;
    }

    /** The hold is over. */
    public static void holdEnds(Object event, String name, Mode mode, String outcome, long token) {
        Recorder.holdEnds(event, name, mode, outcome, token);
    }

    /** A hold was lost. */
    public static void lost(String name, Mode mode, long token, LossReason reason, String text, long heldNanos) {
        if (AVAILABLE) {
            Recorder.lost(name, mode, token, reason, text, heldNanos);
        }
    }

    /** A command is sent; {@code null} if that is not recorded. */
    public static @Nullable Object commandBegins() {
        return AVAILABLE ? Recorder.commandBegins() : null;
    }

    /** The command has ended. */
    public static void commandEnds(
            Object event,
            Enum<?> command,
            @Nullable String name,
            int number,
            Enum<?> outcome,
            @Nullable Throwable failure) {
        Recorder.commandEnds(event, command, name, number, outcome, failure);
    }

    /** All that names classes of the recorder: not loaded where there is none. */
    private static final class Recorder {

        /** Asked whether such events are recorded; reading that of an event makes no other one. */
        private static final LockWaitEvent WAIT = new LockWaitEvent();

        private static final LockHoldEvent HOLD = new LockHoldEvent();
        private static final LeaseLostEvent LOST = new LeaseLostEvent();
        private static final StoreCommandEvent COMMAND = new StoreCommandEvent();

        static @Nullable Object waitBegins() {
            if (!WAIT.isEnabled()) {
                return null;
            }
            LockWaitEvent event = new LockWaitEvent();
            event.begin();
            return event;
        }

        static void waitEnds(
                Object begun, String name, Mode mode, String outcome, long token, boolean async, String requester) {
            LockWaitEvent event = (LockWaitEvent) begun;
            event.end();
            if (event.shouldCommit()) {
                event.name = name;
                event.mode = word(mode);
                event.outcome = outcome;
                event.token = token;
                event.asynchronous = async;
                event.requester = requester;
                event.commit();
            }
        }

        static @Nullable Object holdBegins() {
            if (!HOLD.isEnabled()) {
                return null;
            }
            LockHoldEvent event = new LockHoldEvent();
            event.begin();
            return event;
        }

        static void holdEnds(Object begun, String name, Mode mode, String outcome, long token) {
            LockHoldEvent event = (LockHoldEvent) begun;
            event.end();
            if (event.shouldCommit()) {
                event.name = name;
                event.mode = word(mode);
                event.outcome = outcome;
                event.token = token;
                event.commit();
            }
        }

        static void lost(String name, Mode mode, long token, LossReason reason, String text, long heldNanos) {
            if (LOST.isEnabled()) {
                LeaseLostEvent event = new LeaseLostEvent();
                event.name = name;
                event.mode = word(mode);
                event.token = token;
                event.reason = word(reason);
                event.text = text;
                event.held = heldNanos;
                event.commit();
            }
        }

        static @Nullable Object commandBegins() {
            if (!COMMAND.isEnabled()) {
                return null;
            }
            StoreCommandEvent event = new StoreCommandEvent();
            event.begin();
            return event;
        }

        static void commandEnds(
                Object begun,
                Enum<?> command,
                @Nullable String name,
                int number,
                Enum<?> outcome,
                @Nullable Throwable failure) {
            StoreCommandEvent event = (StoreCommandEvent) begun;
            event.end();
            if (event.shouldCommit()) {
                event.command = word(command);
                event.name = name;
                event.number = number;
                event.outcome = word(outcome);
                event.failure = failure == null ? null : failure.toString();
                event.commit();
            }
        }

        private static String word(Enum<?> value) {
            return value.name().toLowerCase(Locale.ROOT);
        }
    }
}
