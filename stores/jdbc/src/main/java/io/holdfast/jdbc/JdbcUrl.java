package io.holdfast.jdbc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDBC URL taken apart, so that its secrets are in none of the parts that a driver or a pool may print.
 *
 * @param database what it leads to
 * @param url what the driver is given: without user, password and whatever else sounds secret
 * @param secrets what was taken out, for the driver, by its own names
 * @param description for messages: no parameters at all, but those of H2 that say what kind of database it is
 */
record JdbcUrl(Database database, String url, Properties secrets, String description) {

    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^\\[\\]:@\\s]*)(:(\\d{1,5}))?");

    @Override
    public String toString() {
        return description;
    }

    /** @throws IllegalArgumentException if it is wrong, with a message that does not contain it */
    static JdbcUrl parse(String uri) {
        Database database = database(uri);
        char first = database == Database.H2 ? ';' : '?';
        char next = database == Database.H2 ? ';' : '&';
        int question = uri.indexOf(first);
        String where = question < 0 ? uri : uri.substring(0, question);
        Properties secrets = new Properties();
        String address = withoutUser(where, secrets);
        checkHosts(address);
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
        String url = kept.isEmpty() ? address : address + first + String.join(String.valueOf(next), kept);
        checkDriver(database, url);
        return new JdbcUrl(database, url, secrets, SharedFile.isShared(url) ? address + ";AUTO_SERVER=TRUE" : address);
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
        if (start < 0 || address.indexOf('(') >= 0) {
            return;
        }
        int end = address.indexOf('/', start + 2);
        for (String host :
                address.substring(start + 2, end < 0 ? address.length() : end).split(",", -1)) {
            Matcher parts = HOST.matcher(host);
            if (!parts.matches() || (parts.group(3) != null && Integer.parseInt(parts.group(3)) > 65_535)) {
                throw new IllegalArgumentException("the URI has a host or a port that is none; expected //host:port/");
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
        return lower.equals("user")
                || lower.contains("password")
                || lower.contains("secret")
                || lower.contains("token");
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the URI has a % that is not followed by two hexadecimal digits");
        }
    }
}
