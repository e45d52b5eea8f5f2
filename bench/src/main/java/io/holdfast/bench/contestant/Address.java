package io.holdfast.bench.contestant;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Where the server is, apart from how one of the libraries writes it. */
public record Address(
        Store store,
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        int database) {

    private static final int DEFAULT_PORT = 6379;
    private static final String POSTGRESQL = "postgresql";

    /**
     * Reads {@code redis://[[user]:password@]host[:port][/database]}, or {@code postgresql://host:port} of a server of the
     * bench's own.
     *
     * @throws IllegalArgumentException if it is not of that form; the message does not contain it
     */
    public static Address parse(String url) {
        try {
            URI uri = new URI(url);
            if (POSTGRESQL.equals(uri.getScheme()) && uri.getHost() != null) {
                return new Address(Store.POSTGRESQL, uri.getHost(), uri.getPort(), "postgres", null, 0);
            }
            if (!"redis".equals(uri.getScheme()) || uri.getHost() == null) {
                throw new URISyntaxException("", "");
            }
            String[] login = uri.getUserInfo() == null
                    ? new String[] {"", ""}
                    : uri.getUserInfo().split(":", 2);
            String path = uri.getPath() == null ? "" : uri.getPath().replace("/", "");
            return new Address(
                    Store.REDIS,
                    uri.getHost(),
                    uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                    login[0].isEmpty() ? null : login[0],
                    login.length < 2 || login[1].isEmpty() ? null : login[1],
                    path.isEmpty() ? 0 : Integer.parseInt(path));
        } catch (URISyntaxException | NumberFormatException e) {
            // Without the cause: it would show the URL, and the URL may hold a password.
            throw new IllegalArgumentException(
                    "the URL is not of the form redis://[[user]:password@]host[:port][/database]");
        }
    }

    /** For drivers, where it is a PostgreSQL. */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + host + ":" + port + "/postgres?user=" + user;
    }
}
