package io.holdfast.bench.contestant;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.DefaultClientResources;

/** Clients of Lettuce. */
public final class LettuceClients {

    private LettuceClients() {}

    /** As it comes. */
    public static RedisClient create(Address address) {
        return RedisClient.create(uri(address));
    }

    /** Without all that costs something for each command and can be left out. */
    static RedisClient lean(Address address) {
        RedisClient client = RedisClient.create(
                DefaultClientResources.builder()
                        .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                        .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
                        .build(),
                uri(address));
        client.setOptions(ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.create())
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .build());
        return client;
    }

    private static RedisURI uri(Address address) {
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(address.host())
                .withPort(address.port())
                .withDatabase(address.database());
        String password = address.password();
        if (password != null) {
            String user = address.user();
            uri = user == null
                    ? uri.withPassword(password.toCharArray())
                    : uri.withAuthentication(user, password.toCharArray());
        }
        return uri.build();
    }
}
