package io.holdfast.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A user as docs/redis.acl has it. */
record AclUser(String name, List<String> rules) {

    static final String PASSWORD = "change-me";

    /** @param form what its name ends with */
    static AclUser of(String form) {
        String beginning = "user holdfast-" + form + " ";
        try {
            String line = Files.readAllLines(Path.of("../../docs/redis.acl")).stream()
                    .filter(it -> it.startsWith(beginning))
                    .findFirst()
                    .orElseThrow();
            String[] words = line.split(" ");
            return new AclUser(words[1], Arrays.asList(words).subList(2, words.length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the user known to a server. */
    void at(RedisServerProcess server) {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
        try (var connection = client.connect()) {
            connection
                    .sync()
                    .dispatch(
                            CommandType.ACL,
                            new StatusOutput<>(StringCodec.UTF8),
                            new CommandArgs<>(StringCodec.UTF8)
                                    .add("SETUSER")
                                    .add(name)
                                    .addValues(rules));
        } finally {
            client.shutdown();
        }
    }

    /** A URI that logs in as this user. */
    String in(String uri) {
        return uri.replace("://", "://" + name + ":" + PASSWORD + "@");
    }
}
