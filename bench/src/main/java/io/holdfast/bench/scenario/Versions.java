package io.holdfast.bench.scenario;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which versions of the libraries take part. */
public final class Versions {

    private static final List<String> SHOWN = List.of(
            "holdfast-redis",
            "redisson",
            "spring-integration-redis",
            "lettuce-core",
            "netty-common",
            "spring-integration-jdbc",
            "postgresql");

    private Versions() {}

    public static Map<String, String> read() throws IOException {
        DependencyTree tree = DependencyTree.read();
        Map<String, String> versions = new LinkedHashMap<>();
        SHOWN.forEach(artifact -> versions.put(artifact, tree.version(artifact)));
        return versions;
    }
}
