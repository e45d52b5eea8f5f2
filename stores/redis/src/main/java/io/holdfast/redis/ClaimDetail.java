package io.holdfast.redis;

import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a claim that is not alone with its lock: {@code <mode> <permits> <first token> <since> <holds>
 * <compatibleWith>[ <terms>]}, then the owner's client, host, process and thread in a line each. The first line is the scripts'; the rest
 * they pass on unread.
 *
 * @param token 0 for one that waits
 */
record ClaimDetail(Mode mode, int permits, long token, Instant since, int holds, Owner owner) {

    private static final Pattern FORM = Pattern.compile(
            "([XSP]) (\\d{1,10}) (\\d{1,18}) (\\d{1,18}) (\\d{1,10}) \\S*[^\n]*\n(.*)\n(.*)\n(-?\\d{1,18})\n(.*)");

    /** The letter by which the scripts know a mode. */
    static String letter(Mode mode) {
        return switch (mode) {
            case EXCLUSIVE -> "X";
            case SHARED -> "S";
            case PERMITS -> "P";
        };
    }

    static @Nullable ClaimDetail parse(@Nullable String text) {
        Matcher form = FORM.matcher(text == null ? "" : text);
        if (!form.matches()) {
            return null;
        }
        return new ClaimDetail(
                switch (form.group(1)) {
                    case "X" -> Mode.EXCLUSIVE;
                    case "S" -> Mode.SHARED;
                    default -> Mode.PERMITS;
                },
                number(form.group(2)),
                Long.parseLong(form.group(3)),
                OwnerRecord.instant(Long.parseLong(form.group(4))),
                number(form.group(5)),
                new Owner(form.group(6), form.group(7), Long.parseLong(form.group(8)), form.group(9)));
    }

    private static int number(String digits) {
        return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(digits));
    }
}
