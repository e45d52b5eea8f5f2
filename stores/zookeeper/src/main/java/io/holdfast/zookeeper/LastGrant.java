package io.holdfast.zookeeper;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the node of a name holds: the exclusive claim that was granted last, if that was the turn of its ticket. Nothing else
 * held the lock then, nothing waited in front of it, and it leaves no floor for tokens. So the claim behind it knows all that
 * its own grant depends on without a listing, as long as the version of the name's node is the one that came with this.
 *
 * @param node the node by which the claim holds
 * @param ticket the number of the ticket by which it was granted
 */
record LastGrant(ChildNode node, int ticket) {

    private static final char SEPARATOR = '\n';

    byte[] bytes() {
        return (node.name() + SEPARATOR + ticket).getBytes(StandardCharsets.UTF_8);
    }

    /** What was written there; {@code null} if the last grant was another one. */
    static @Nullable LastGrant parse(String text) {
        int separator = text.indexOf(SEPARATOR);
        ChildNode node = separator < 0 ? null : ChildNode.parse(text.substring(0, separator));
        try {
            return node == null ? null : new LastGrant(node, Integer.parseInt(text, separator + 1, text.length(), 10));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** True if it was granted by that ticket. */
    boolean isBy(ChildNode place) {
        return place.sequence() == ticket && place.id().equals(node.id());
    }
}
