package io.holdfast.redis;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a server listens. */
record Address(String host, int port) {

    // Not java.net.URI's own idea of a host, which refuses the underscores that container names have.
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([\\w.-]+))(?::(\\d{1,5}))?");

    /** @throws IllegalArgumentException if it is none; the message does not contain the text */
    static Address parse(String text, int defaultPort) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("each server must be host or host:port, with a number as its port ("
                    + defaultPort + " if there is none)");
        }
        int port = form.group(3) == null ? defaultPort : Integer.parseInt(form.group(3));
        String host = form.group(1) == null ? form.group(2) : form.group(1);
        return new Address(host.toLowerCase(Locale.ROOT), port);
    }

    Address {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("a port must be a number from 1 to 65535");
        }
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
