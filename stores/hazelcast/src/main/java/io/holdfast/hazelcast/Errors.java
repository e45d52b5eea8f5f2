package io.holdfast.hazelcast;

import com.hazelcast.client.HazelcastClientOfflineException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import java.security.AccessControlException;

/**
 * Turns what Hazelcast throws into what Holdfast throws. A refusal is what is known not to have run; of everything else it is not
 * known.
 */
@SuppressWarnings("removal") // Hazelcast throws the JDK's AccessControlException
final class Errors {

    private Errors() {}

    /** @param store the store's description, to begin the message with */
    static HoldfastException translate(String store, Exception failure) {
        if (failure instanceof SplitBrainProtectionException) {
            return new StoreRefusedException(
                    store + " refused: its split-brain protection sees too few members. It may be tried again when"
                            + " enough of them are back",
                    true,
                    failure);
        }
        if (failure instanceof AccessControlException || failure instanceof SecurityException) {
            return new StoreRefusedException(
                    store + " refused: the client may not use this map. Check the permissions of its user",
                    false,
                    failure);
        }
        if (failure instanceof HazelcastSerializationException || failure instanceof ClassCastException) {
            return new StoreRefusedException(
                    store
                            + " refused: the map has something that Holdfast did not write. Give locks a map of their own",
                    false,
                    failure);
        }
        if (failure instanceof UnsupportedOperationException || failure instanceof IllegalArgumentException) {
            return new StoreRefusedException(
                    store + " refused: " + failure.getMessage() + ". Check the configuration of the map on the members",
                    false,
                    failure);
        }
        return new StoreUnavailableException(store + " did not answer: " + why(failure), failure);
    }

    private static String why(Exception failure) {
        if (failure instanceof HazelcastClientOfflineException) {
            return "the client is not connected. Check that the members run, their addresses, and the cluster's name";
        }
        if (failure instanceof IndeterminateOperationStateException) {
            return "a backup did not acknowledge the write in time";
        }
        if (failure instanceof OperationTimeoutException) {
            return "no answer in time";
        }
        if (failure instanceof HazelcastInstanceNotActiveException) {
            return "the Hazelcast instance was shut down";
        }
        return "the connection broke, or the member left (" + failure.getClass().getSimpleName() + ")";
    }
}
