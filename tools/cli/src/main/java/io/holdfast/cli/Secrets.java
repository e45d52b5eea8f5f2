package io.holdfast.cli;

import java.util.regex.Pattern;

/** Keeps passwords out of what is printed: a URL may be where none is expected, and is then repeated. */
final class Secrets {

    /** To the last @, since a password may contain one. */
    private static final Pattern USER = Pattern.compile("://[^\\s'\"]*@");

    private static final Pattern SETTING = Pattern.compile("(?i)(password|passwd|pwd|secret)=[^&;\\s'\"]*");

    private Secrets() {}

    static String masked(String text) {
        String withoutUser = USER.matcher(text).replaceAll("://***@");
        return SETTING.matcher(withoutUser).replaceAll("$1=***");
    }
}
