package io.holdfast.jdbc;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What one client tells another through the database: that something has changed, or that a claim is called. */
sealed interface Message {

    record Changed(Key key) implements Message {}

    record Called(String claimId) implements Message {}

    /** Plain ASCII, whatever the name is: at most 1,400 characters. What goes together is told by PostgreSQL in these words. */
    static String changed(Key key) {
        return "changed " + key.kind() + " "
                + Base64.getUrlEncoder().withoutPadding().encodeToString(key.bytes());
    }

    static String called(String claimId) {
        return "called " + claimId;
    }

    /** {@code null} for what a later version may have sent. */
    static @Nullable Message parse(String text) {
        String[] words = text.split(" ", -1);
        try {
            if (words.length == 3 && words[0].equals("changed")) {
                return new Changed(new Key(
                        Integer.parseInt(words[1]),
                        Key.text(Base64.getUrlDecoder().decode(words[2]))));
            }
        } catch (IllegalArgumentException e) {
            return null;
        }
        return words.length == 2 && words[0].equals("called") ? new Called(words[1]) : null;
    }
}
