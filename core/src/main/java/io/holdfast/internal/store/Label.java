package io.holdfast.internal.store;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Messages;
import io.holdfast.spi.ResourceType;

/** What messages call a claim. */
final class Label {

    private Label() {}

    static String of(Claim claim) {
        return of(claim.kind(), claim.name());
    }

    static String of(ResourceType kind, String name) {
        return Messages.label(kind, name);
    }
}
