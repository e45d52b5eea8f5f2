package io.holdfast.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the server says of itself")
class ServerStatsTest {

    @Test
    @DisplayName("is counted from one moment to another")
    void since() {
        ServerStats before = ServerStats.parse("""
                # Server
                redis_version:7.0.15
                used_cpu_sys:1.5
                used_cpu_user:2.25
                used_memory:1000
                cmdstat_evalsha:calls=10,usec=100,usec_per_call=10.00
                """);
        ServerStats after = ServerStats.parse("""
                used_cpu_sys:1.75\r
                used_cpu_user:2.5\r
                used_memory:3500\r
                cmdstat_evalsha:calls=14,usec=140\r
                cmdstat_client|setinfo:calls=3,usec=1\r
                """);
        ServerStats during = after.since(before);
        assertThat(before.version()).isEqualTo("7.0.15");
        assertThat(during.cpuSeconds()).isCloseTo(0.5, within(1e-9));
        assertThat(during.memoryBytes()).isEqualTo(2_500);
        assertThat(during.scriptCalls()).isEqualTo(4);
        assertThat(during.scriptMicros()).isEqualTo(40);
        assertThat(during.allCalls()).isEqualTo(7);
    }

    @Test
    @DisplayName("is added up where there are several servers")
    void together() {
        ServerStats first = ServerStats.parse("cmdstat_evalsha:calls=10,usec=100,usec_per_call=10.00");
        ServerStats second = ServerStats.parse("""
                cmdstat_evalsha:calls=1,usec=7
                cmdstat_eval:calls=2,usec=30
                cmdstat_get:calls=5,usec=5
                """);
        ServerStats both = first.plus(second);
        assertThat(both.scriptCalls()).isEqualTo(13);
        assertThat(both.scriptMicros()).isEqualTo(137);
        assertThat(both.allCalls()).isEqualTo(18);
    }
}
