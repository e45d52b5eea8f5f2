package io.holdfast.bench.contestant;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the server is, apart from how one of the libraries writes it.
 *
 * @param nodes {@code host:port} of each server; the first is a master
 */
public record Address(
        Store store,
        List<String> nodes,
        @Nullable String user,
        @Nullable String password,
        int database) {

    private static final int DEFAULT_PORT = 6379;

    public Address {
        nodes = List.copyOf(nodes);
    }

    /**
     * Reads {@code redis://[[user]:password@]host[:port][/database]}; or, for servers of the bench's own, the scheme of
     * another {@link Store} with a list of {@code host:port}.
     *
     * @throws IllegalArgumentException if it is not of that form; the message does not contain it
     */
    public static Address parse(String url) {
        try {
            URI uri = new URI(url);
            Store store = Stream.of(Store.values())
                    .filter(candidate -> candidate.scheme().equals(uri.getScheme()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown scheme"));
            String authority = uri.getRawAuthority();
            if (authority == null || (store == Store.REDIS && uri.getHost() == null)) {
                throw new IllegalArgumentException("no host");
            }
            if (store != Store.REDIS) {
                List<String> nodes = List.of(authority.split(","));
                return new Address(store, nodes, store == Store.POSTGRESQL ? "postgres" : null, null, 0);
            }
            String[] login = uri.getUserInfo() == null
                    ? new String[] {"", ""}
                    : uri.getUserInfo().split(":", 2);
            String path = uri.getPath() == null ? "" : uri.getPath().replace("/", "");
            return new Address(
                    Store.REDIS,
                    List.of(uri.getHost() + ":" + (uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort())),
                    login[0].isEmpty() ? null : login[0],
                    login.length < 2 || login[1].isEmpty() ? null : login[1],
                    path.isEmpty() ? 0 : Integer.parseInt(path));
        } catch (URISyntaxException | IllegalArgumentException e) {
            // Without the cause: it would show the URL, and the URL may hold a password.
            throw new IllegalArgumentException(
                    "the URL is not of the form redis://[[user]:password@]host[:port][/database]");
        }
    }

    /** Of the first server. */
    public String host() {
        return nodes.get(0).substring(0, nodes.get(0).lastIndexOf(':'));
    }

    /** Of the first server. */
    public int port() {
        return Integer.parseInt(nodes.get(0).substring(nodes.get(0).lastIndexOf(':') + 1));
    }

    /** All servers, as they stand in a URL. */
    public String hosts() {
        return String.join(",", nodes);
    }

    /** For drivers, where it is a PostgreSQL. */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + hosts() + "/postgres?user=" + user;
    }
}
