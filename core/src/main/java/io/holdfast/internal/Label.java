package io.holdfast.internal;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Messages;
import java.util.Locale;

/** How messages call what is locked. A name may contain anything; a message is one line whatever it contains. */
final class Label {

    private Label() {}

    static String of(Claim claim) {
        return of(claim.kind(), claim.name());
    }

    static String of(Kind kind, String name) {
        return kind.name().toLowerCase(Locale.ROOT) + " '" + Messages.line(name) + "'";
    }
}
