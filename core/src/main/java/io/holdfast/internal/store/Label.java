package io.holdfast.internal.store;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Messages;
import io.holdfast.spi.ResourceType;

/** What messages call a claim. */
public final class Label {

    private Label() {}

    public static String of(Claim claim) {
        return of(claim.kind(), claim.name());
    }

    public static String of(ResourceType kind, String name) {
        return Messages.label(kind, name);
    }
}
