package io.holdfast.jdbc;

import io.holdfast.spi.ResourceType;
import java.nio.charset.StandardCharsets;

/**
 * What a row is about, or what is watched.
 *
 * @param kind as it is stored
 * @param name the name of a lock, a semaphore or a latch, or a client
 */
record Key(int kind, String name) {

    static final int LOCK = 0;
    static final int SEMAPHORE = 1;
    static final int LATCH = 2;

    /** Watched only: a client that is told when one of its claims is called. */
    static final int CLIENT = 3;

    static Key of(ResourceType type, String name) {
        return new Key(code(type), name);
    }

    static Key client(String client) {
        return new Key(CLIENT, client);
    }

    static int code(ResourceType type) {
        return switch (type) {
            case LOCK -> LOCK;
            case SEMAPHORE -> SEMAPHORE;
            case LATCH -> LATCH;
        };
    }

    byte[] bytes() {
        return bytes(name);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
