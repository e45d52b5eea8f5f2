package io.holdfast.redis;

import io.holdfast.StoreRefusedException;
import io.lettuce.core.LettuceVersion;
import io.netty.util.Version;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Says which versions of Lettuce and Netty there are, and which there should be, where these do not link. */
final class Libraries {

    private static final String NEEDED =
            "Lettuce 6.6 to 6.8 run on Netty 4.1.118 or later and on 4.2, Lettuce 7 on Netty 4.2: give all artifacts"
                    + " of io.netty the version that your Lettuce brings (docs/redis.md has the table)";

    private Libraries() {}

    /** @param what what can't be done, to begin the message with */
    static StoreRefusedException refused(String what, LinkageError error) {
        return new StoreRefusedException(
                what + ": Lettuce " + version(Libraries::lettuce) + " and Netty " + version(Libraries::netty)
                        + " do not fit each other, or Holdfast: " + error + ". " + NEEDED + ".",
                false,
                error);
    }

    /** On the module path there is no manifest to ask, but the version that the name of the jar has. */
    private static @Nullable String lettuce() {
        Module lettuce = LettuceVersion.class.getModule();
        return lettuce.isNamed() ? lettuce.getDescriptor().rawVersion().orElse(null) : LettuceVersion.getVersion();
    }

    private static String netty() {
        Version common = Version.identify().get("netty-common");
        return common == null ? "of an unknown version" : common.artifactVersion();
    }

    private static String version(Supplier<@Nullable String> asked) {
        try {
            @Nullable String version = asked.get();
            return version == null ? "of an unknown version" : version;
        } catch (RuntimeException | LinkageError e) {
            return "of an unknown version";
        }
    }
}
