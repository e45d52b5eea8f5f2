package io.holdfast.jdbc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDBC URL taken apart, so that its secrets are in none of the parts that anything prints. What can't be taken apart goes
 * to the driver as it is, and nowhere else: the description of such a URL says only which driver's it is.
 *
 * @param database what it leads to
 * @param url what the driver is given; if it was understood, without user, password and whatever else sounds secret
 * @param secrets what was taken out, for the driver, by its own names
 * @param description for messages: no parameters at all, but those of H2 that say what kind of database it is
 * @param hidden what no message may repeat
 */
record JdbcUrl(Database database, String url, Properties secrets, String description, Set<String> hidden) {

    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^\\[\\]:@\\s]*)(:(\\d{1,5}))?");

    /** Hosts and a database, or a database alone, in which nothing can be anything else. */
    private static final Pattern UNDERSTOOD = Pattern.compile(
            "jdbc:(postgresql|mysql|mariadb):([a-z]+:)?(//[^()@=;&?#\\s/]*(/[^()@=;&?#\\s:]*)?|/?[^()@=;&?#\\s:/]*)",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern UNDERSTOOD_H2 = Pattern.compile("jdbc:h2:[^()@=;&?#]+", Pattern.CASE_INSENSITIVE);

    /** Where a URL that is not understood may be cut, so that each secret in it is a piece. */
    private static final Pattern CUT = Pattern.compile("[\\s()\\[\\]{}=,&?;:@/#]+");

    /** Pieces that are words of the language, or say where the database is. */
    private static final Pattern HARMLESS = Pattern.compile(
            "jdbc|mysql|mariadb|postgresql|h2|address|host|port|user|password|type|primary|replica|localhost|[\\d.]{7,}",
            Pattern.CASE_INSENSITIVE);

    private static final int SHORTEST_HIDDEN = 3;

    /** In the name of a parameter. */
    private static final Pattern SECRET = Pattern.compile("passw|pwd|passphrase|secret|token|credential");

    @Override
    public String toString() {
        return description;
    }

    /** @throws IllegalArgumentException if it is wrong, with a message that does not contain it */
    static JdbcUrl parse(String uri) {
        JdbcUrl read = read(uri);
        checkDriver(read.database, read.url);
        return read;
    }

    /** As {@link #parse}, whether there is a driver for it or not. */
    static JdbcUrl read(String uri) {
        Database database = database(uri);
        char first = database == Database.H2 ? ';' : '?';
        char next = database == Database.H2 ? ';' : '&';
        int question = uri.indexOf(first);
        String where = question < 0 ? uri : uri.substring(0, question);
        Properties secrets = new Properties();
        boolean nested = where.indexOf('(') >= 0 || where.contains("@[");
        String address = nested ? where : withoutUser(where, secrets);
        if (!nested) {
            checkHosts(address);
        }
        List<String> kept = new ArrayList<>();
        if (question >= 0) {
            for (String setting : uri.substring(question + 1).split(Pattern.quote(String.valueOf(next)))) {
                int equals = setting.indexOf('=');
                String name = equals < 0 ? setting : setting.substring(0, equals);
                if (isSecret(name)) {
                    String value = equals < 0 ? "" : setting.substring(equals + 1);
                    secrets.setProperty(
                            database == Database.H2 ? name.toLowerCase(Locale.ROOT) : name,
                            database == Database.H2 ? value : decoded(value));
                } else if (!setting.isEmpty()) {
                    kept.add(setting);
                }
            }
        }
        // Behind an @, the rest of a password that has a question mark in it.
        boolean understood = !nested
                && (database == Database.H2 ? UNDERSTOOD_H2 : UNDERSTOOD)
                        .matcher(address)
                        .matches()
                && kept.stream()
                        .noneMatch(setting -> setting.replaceFirst("=.*", "").indexOf('@') >= 0);
        if (!understood) {
            String driver = uri.substring(0, uri.indexOf(':', "jdbc:".length()) + 1);
            return new JdbcUrl(database, uri, new Properties(), driver + "…", pieces(uri));
        }
        String url = kept.isEmpty() ? address : address + first + String.join(String.valueOf(next), kept);
        String description = SharedFile.isShared(url) ? address + ";AUTO_SERVER=TRUE" : address;
        Set<String> hidden = new HashSet<>();
        secrets.forEach((name, value) -> {
            if (!name.toString().equalsIgnoreCase("user") && value.toString().length() >= SHORTEST_HIDDEN) {
                hidden.add(value.toString());
            }
        });
        return new JdbcUrl(database, url, secrets, description, hidden);
    }

    private static Set<String> pieces(String uri) {
        Set<String> pieces = new HashSet<>();
        for (String piece : CUT.split(uri)) {
            if (piece.length() >= SHORTEST_HIDDEN && !HARMLESS.matcher(piece).matches()) {
                pieces.add(piece);
            }
        }
        return pieces;
    }

    /** What a driver says, which may repeat what it was given. */
    SQLException withoutSecrets(SQLException said) {
        for (Throwable t = said; t != null; t = t.getCause()) {
            String message = String.valueOf(t.getMessage());
            if (hidden.stream().anyMatch(message::contains)) {
                return new SQLException(
                        masked(String.valueOf(said.getMessage())), said.getSQLState(), said.getErrorCode());
            }
        }
        return said;
    }

    private String masked(String text) {
        String masked = text;
        for (String secret : hidden.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList()) {
            masked = masked.replace(secret, "***");
        }
        return masked;
    }

    private static Database database(String uri) {
        String lower = uri.toLowerCase(Locale.ROOT);
        if (lower.startsWith("jdbc:postgresql:")) {
            return Database.POSTGRESQL;
        }
        if (lower.startsWith("jdbc:mysql:") || lower.startsWith("jdbc:mariadb:")) {
            return Database.MYSQL;
        }
        if (lower.startsWith("jdbc:h2:")) {
            return Database.H2;
        }
        throw new IllegalArgumentException("the URI must begin with jdbc:postgresql:, jdbc:mysql:, jdbc:mariadb: or"
                + " jdbc:h2:, as in jdbc:postgresql://host/database?user=…&password=…");
    }

    /** Takes {@code user:password@} out. */
    private static String withoutUser(String where, Properties secrets) {
        int start = where.indexOf("//");
        int at = where.lastIndexOf('@');
        if (start < 0 || at < start) {
            return where;
        }
        String user = where.substring(start + 2, at);
        int colon = user.indexOf(':');
        secrets.setProperty("user", decoded(colon < 0 ? user : user.substring(0, colon)));
        if (colon >= 0) {
            secrets.setProperty("password", decoded(user.substring(colon + 1)));
        }
        return where.substring(0, start + 2) + where.substring(at + 1);
    }

    // The drivers differ in what they make of a wrong port, and when; some take the default.
    private static void checkHosts(String address) {
        int start = address.indexOf("//");
        if (start < 0) {
            return;
        }
        int end = address.indexOf('/', start + 2);
        for (String host :
                address.substring(start + 2, end < 0 ? address.length() : end).split(",", -1)) {
            Matcher parts = HOST.matcher(host);
            if (!parts.matches() || (parts.group(3) != null && Integer.parseInt(parts.group(3)) > 65_535)) {
                throw new IllegalArgumentException(
                        "each server in the URI must be host or host:port, with a number up to 65535 as its port");
            }
        }
    }

    private static void checkDriver(Database database, String url) {
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            // Without the cause: it may repeat what the caller wrote.
            throw new IllegalArgumentException("no JDBC driver takes the URI: it is wrong, or the driver ("
                    + database.driver() + ") is not on the class path");
        }
    }

    private static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("user") || SECRET.matcher(lower).find();
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the URI has a % that is not followed by two hexadecimal digits");
        }
    }
}
