package io.holdfast.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import org.jspecify.annotations.Nullable;

/**
 * What can be known about the map that keeps the locks. A member knows its configuration. An open-source client does not see that of the
 * members, so the number of backups is what the caller says.
 *
 * @param backups synchronous backups of the map; 0 if it has none or if that is not known
 * @param danger what in the configuration loses locks; {@code null} if nothing that can be seen
 */
record MapCheck(int backups, @Nullable String danger) {

    /** For a client: the caller says how many backups there are, or 0 for unknown. */
    static MapCheck told(int backups) {
        return new MapCheck(backups, null);
    }

    /** Reads the configuration of a member; of a client, only what the client itself has. */
    static MapCheck of(HazelcastInstance instance, String map, int told) {
        @Nullable MapConfig config = memberConfig(instance, map);
        if (config == null) {
            return told(told);
        }
        return new MapCheck(config.getBackupCount(), danger(config));
    }

    /** A client answers with a configuration that has no maps of members, and throws if it is asked for one. */
    private static @Nullable MapConfig memberConfig(HazelcastInstance instance, String map) {
        Config config = instance.getConfig();
        try {
            return config.findMapConfig(map);
        } catch (UnsupportedOperationException e) {
            return null;
        }
    }

    private static @Nullable String danger(MapConfig config) {
        if (config.getEvictionConfig().getEvictionPolicy() != EvictionPolicy.NONE) {
            return "it evicts entries";
        }
        if (config.getTimeToLiveSeconds() > 0 || config.getMaxIdleSeconds() > 0) {
            return "its entries expire (time to live or idle time)";
        }
        if (config.isNearCacheEnabled()) {
            return "it has a near cache, which answers with old entries";
        }
        if (config.isReadBackupData()) {
            return "it reads from backups, which answer with old entries";
        }
        return null;
    }
}
