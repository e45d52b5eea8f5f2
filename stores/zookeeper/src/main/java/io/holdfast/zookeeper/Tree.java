package io.holdfast.zookeeper;

import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where everything is: {@code <root>/<kind>/<bucket>/<name>}. The names of a kind are spread over 256 buckets, because the
 * children of one node come in one answer, which must stay far below a megabyte.
 */
final class Tree {

    private static final int BUCKETS = 256;

    private static final String[] HEX = new String[BUCKETS];

    static {
        for (int i = 0; i < BUCKETS; i++) {
            HEX[i] = String.format(Locale.ROOT, "%02x", i);
        }
    }

    private final String root;
    private final Map<ResourceType, String> types = new EnumMap<>(ResourceType.class);

    /** @param root a path without a slash at its end */
    Tree(String root) {
        this.root = root;
        for (ResourceType type : ResourceType.values()) {
            types.put(type, root + "/" + type.name().toLowerCase(Locale.ROOT));
        }
    }

    /** The node above all others, which also says what tokens count from. */
    String root() {
        return root;
    }

    /** The node of a name, below which its claims are. */
    String name(Resource resource) {
        String name = resource.name();
        return types.get(resource.type()) + "/" + bucket(name) + "/" + Names.encode(name);
    }

    List<String> buckets(ResourceType type) {
        List<String> buckets = new ArrayList<>(BUCKETS);
        for (int i = 0; i < BUCKETS; i++) {
            buckets.add(types.get(type) + "/" + HEX[i]);
        }
        return buckets;
    }

    /** Below it nodes appear for a moment to call the claims of a client from another process. */
    String listeners(String client) {
        return root + "/calls/" + Names.encode(client);
    }

    /** The parent of the wardens' nodes. */
    String wardens() {
        return root + "/wardens";
    }

    private static String bucket(String name) {
        int hash = name.hashCode();
        hash ^= hash >>> 16;
        return HEX[(hash ^ hash >>> 8) & (BUCKETS - 1)];
    }
}
