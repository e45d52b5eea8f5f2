package io.holdfast.redis;

import io.holdfast.spi.Messages;
import io.holdfast.spi.Owner;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is kept beside the lock of a name: {@code <last token> <first token> <since> <claim id>}, then the owner's
 * client, host, process and thread in a line each. It outlives the claim, so it is a holder's only while the lock has
 * that claim. The first line is the scripts'; the rest they pass on unread.
 */
record OwnerRecord(long first, Instant since, String claimId, Owner owner) {

    private static final Pattern FORM =
            Pattern.compile("\\d+ (\\d{1,18}) (\\d{1,18}) (\\S+)(?: y)?(?: \\d+)?\n(.*)\n(.*)\n(-?\\d{1,18})\n(.*)");

    /** The owner's lines. What would end a line early is replaced. */
    static String lines(Owner owner) {
        return Messages.line(owner.client()) + "\n" + Messages.line(owner.host()) + "\n" + owner.process() + "\n"
                + Messages.line(owner.thread());
    }

    static @Nullable OwnerRecord parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return null;
        }
        return new OwnerRecord(
                Long.parseLong(form.group(1)),
                instant(Long.parseLong(form.group(2))),
                form.group(3),
                new Owner(form.group(4), form.group(5), Long.parseLong(form.group(6)), form.group(7)));
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }
}
