package io.holdfast.tck;

import java.util.UUID;

/** The in-memory store of one name, which all of its tests share. */
interface MemoryBinding extends StoreBinding {

    String URI = "memory:" + UUID.randomUUID();

    @Override
    default String uri() {
        return URI;
    }
}
