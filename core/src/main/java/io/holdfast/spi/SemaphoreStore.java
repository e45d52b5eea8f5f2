package io.holdfast.spi;

import java.util.concurrent.CompletionStage;

/**
 * A store that keeps semaphores: it takes claims of {@link Mode#PERMITS}, inspects and lists {@link ResourceType#SEMAPHORE}, and knows how
 * many permits each has. It forgets a semaphore a day after the last command that used it.
 */
public interface SemaphoreStore extends LockStore {

    /**
     * Changes how many permits a semaphore has, once for this id, and notifies the claims whose turn it is now. The number never goes below
     * zero; permits that are out stay out.
     *
     * @param by how many more, or fewer
     * @param capacity how many it has before that if the store does not know of it yet
     * @return how many it has then
     */
    CompletionStage<Integer> addPermits(String name, String id, int by, int capacity);
}
