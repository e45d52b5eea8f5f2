package io.holdfast.bench.contestant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An address")
class AddressTest {

    @Test
    @DisplayName("of one Redis has what its URL has, and the default port")
    void redis() {
        assertThat(Address.parse("redis://me:secret@host/3"))
                .isEqualTo(new Address(Store.REDIS, List.of("host:6379"), "me", "secret", 3));
        assertThat(Address.parse("redis://host:1").port()).isOne();
    }

    @Test
    @DisplayName("of several servers begins with the master")
    void several() {
        Address address = Address.parse("redis-replica://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3");
        assertThat(address.store()).isEqualTo(Store.REPLICAS);
        assertThat(address.nodes()).containsExactly("127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3");
        assertThat(address.hosts()).isEqualTo("127.0.0.1:1,127.0.0.1:2,127.0.0.1:3");
        assertThat(address.host() + ":" + address.port()).isEqualTo("127.0.0.1:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://me:secret@host", "redis:secret", "zookeeper:secret", "redis://me:secret@host/x"})
    @DisplayName("that is wrong is refused without being shown")
    void wrong(String url) {
        assertThatThrownBy(() -> Address.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret")
                .hasNoCause();
    }
}
