package io.holdfast.redis;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a claim that waits in the queue: {@code <end of its place> <mode> <permits> <holds> <compatibleWith> <tokens> <lease>
 * <flags>}, then the owner's client, host, process and thread in a line each. The scripts write the end and keep it; they grant
 * by the rest of the first line, and pass the owner on unread.
 *
 * @param ends in milliseconds of the server's clock
 */
record WaitingDetail(long ends, Mode mode, int permits, int holds, Owner owner) {

    private static final Pattern FORM = Pattern.compile(
            "(\\d{13,18}) ([XSP]) (\\d{1,10}) (\\d{1,10}) \\S* \\d+ \\d+ \\S+\n(.*)\n(.*)\n(-?\\d{1,18})\n(.*)");

    /** The first line without the end. */
    static String firstLine(Claim claim) {
        return ClaimDetail.letter(claim.mode()) + " " + Arguments.permits(claim) + " " + Arguments.holds(claim) + " "
                + Arguments.compatibleWith(claim) + " " + Arguments.tokens(claim) + " " + Arguments.millis(claim) + " "
                + (claim.policy().barges() ? "-" : "f") + (claim.grantOnRelease() ? "c" : "-")
                + (claim.revocable() ? "y" : "-");
    }

    static @Nullable WaitingDetail parse(@Nullable String text) {
        Matcher form = FORM.matcher(text == null ? "" : text);
        if (!form.matches()) {
            return null;
        }
        return new WaitingDetail(
                Long.parseLong(form.group(1)),
                ClaimDetail.mode(form.group(2)),
                ClaimDetail.number(form.group(3)),
                ClaimDetail.number(form.group(4)),
                new Owner(form.group(5), form.group(6), Long.parseLong(form.group(7)), form.group(8)));
    }
}
