package io.holdfast.cli;

import io.holdfast.Claimant;
import io.holdfast.spi.ResourceType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a lock, a semaphore or a latch.
 *
 * @param event what: {@code held}, {@code ended}, {@code free}, {@code waits}, {@code left}; {@code permits};
 *     {@code set}, {@code unset}, {@code count}, {@code open}
 * @param claimant the owner of the claim
 * @param number how many permits there are, or how often a latch has to be counted down
 */
record Change(
        ResourceType kind,
        String name,
        String event,
        @Nullable Claimant claimant,
        @Nullable Long number) {

    Map<String, @Nullable Object> structure() {
        Map<String, @Nullable Object> members = Structure.named(kind, name);
        members.put("event", event);
        if (claimant != null) {
            members.put("claimant", Structure.of(claimant));
        }
        if (number != null) {
            members.put("number", number);
        }
        return members;
    }

    String text() {
        String head = Text.line(name) + "  " + event;
        if (claimant != null) {
            return head + "  " + Text.mode(claimant) + "  token " + Text.token(claimant) + "  " + Text.who(claimant);
        }
        return number == null ? head : head + "  " + number;
    }
}
