package io.holdfast.internal;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Messages;

/** What messages call a claim. */
final class Label {

    private Label() {}

    static String of(Claim claim) {
        return of(claim.kind(), claim.name());
    }

    static String of(Kind kind, String name) {
        return Messages.label(kind, name);
    }
}
