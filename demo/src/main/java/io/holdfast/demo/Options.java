package io.holdfast.demo;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param url the Redis to use, or {@code null} for an embedded one
 * @param quick shorter scenes, for a test
 * @param help only print the usage
 */
record Options(@Nullable String url, boolean quick, boolean help) {

    static final String USAGE = """
            Usage: ./holdfast demo [options]

            Shows with worker processes and a real Redis what distributed locks are for. Takes about half a minute.

              --url <uri>  use this Redis, redis://[user:password@]host:port/database, instead of an embedded one;
                           its keys have "holdfast-demo" in their names, and are deleted or expire within a week
              --quick      shorter scenes
              --help       this text

            The exit code is 0 if every scene showed what it promises, 1 if one did not, 2 if it could not be played.
            NO_COLOR in the environment turns colours off.
            """;

    /** How many processes there are. */
    static final int WORKERS = 4;

    /** @throws IllegalArgumentException if an argument is not known, with a message for the user */
    static Options parse(String... args) {
        String url = null;
        boolean quick = false;
        boolean help = false;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--quick" -> quick = true;
                case "--help", "-h" -> help = true;
                case "--url" -> {
                    if (++i == args.length) {
                        throw new IllegalArgumentException("--url needs a value, such as redis://127.0.0.1:6379");
                    }
                    url = redisUrl(args[i]);
                }
                default -> throw new IllegalArgumentException("unknown argument '" + args[i] + "'");
            }
        }
        return new Options(url, quick, help);
    }

    private static String redisUrl(String url) {
        try {
            if (RedisURI.create(url).getHost() != null) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // The same message as for a URL without a host; the URL may hold a password, so it is not shown.
        }
        throw new IllegalArgumentException("--url is not of the form redis://host:port");
    }

    /** How long a lock outlives its process: short, so that the audience need not wait for 30 s. */
    Duration lease() {
        return Duration.ofMillis(quick ? 1_000 : 2_000);
    }

    /** How long the workers count. */
    Duration counting() {
        return Duration.ofMillis(quick ? 1_000 : 3_000);
    }

    /** How long the workers come and go. */
    Duration visiting() {
        return Duration.ofMillis(quick ? 1_000 : 2_000);
    }
}
