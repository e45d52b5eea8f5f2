package io.holdfast.hazelcast;

import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.core.HazelcastInstance;
import io.holdfast.cas.Register;
import io.holdfast.cas.RegisterContract;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

class HazelcastRegisterTest {

    private static final StoreConfig CONFIG = new StoreConfig("test", Duration.ofSeconds(20));

    @Nested
    @DisplayName("A register of a client")
    class OfAClient extends RegisterContract {
        @Override
        protected Register open() {
            return HazelcastRegister.open(SharedMember.uri(), CONFIG);
        }
    }

    @Nested
    @DisplayName("A register of a member")
    class OfAMember extends RegisterContract {
        @Override
        protected Register open() {
            return HazelcastRegister.using(SharedMember.instance(), "tck", 0, Duration.ofSeconds(20));
        }
    }

    /** Arrays would be compared by identity there. */
    @Nested
    @DisplayName("A register in a map that keeps objects")
    class OfObjects extends RegisterContract {

        private static HazelcastInstance member;

        @BeforeAll
        static void start() {
            member = Member.start(
                    "objects",
                    Ports.free(),
                    0,
                    List.of(),
                    config -> config.getMapConfig("default").setInMemoryFormat(InMemoryFormat.OBJECT));
        }

        @AfterAll
        static void end() {
            member.getLifecycleService().terminate();
        }

        @Override
        protected Register open() {
            return HazelcastRegister.open("hazelcast://127.0.0.1:" + Member.port(member) + "?cluster=objects", CONFIG);
        }
    }
}
