package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.QueuePolicy;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What tokens count from")
class TokenBaseTest extends StoreTest {

    private void root(String data) throws Exception {
        plain.create(
                "/holdfast", data.getBytes(StandardCharsets.UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    @Test
    @DisplayName(
            "is kept in the root only where the root has no other data; such data, as Curator's, is in no lock's way")
    void otherData() throws Exception {
        root("10.0.0.1");
        ZooKeeperStore store = direct();
        assertThat(granted(store, claim("lock", QueuePolicy.BARGES, LONG))).isPositive();
        assertThatThrownBy(() -> get(store.raiseTokens(1_000_000_000)))
                .cause()
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("/holdfast")
                .hasMessageContaining("data that is not Holdfast's");
        assertThat(plain.getData("/holdfast", null, null)).isEqualTo("10.0.0.1".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("refuses locks where it was kept and can't be read")
    void unreadable() throws Exception {
        root("holdfast tokens above a lot");
        assertThatThrownBy(() -> get(direct().claim(claim("lock", QueuePolicy.BARGES, LONG))))
                .cause()
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("/holdfast");
    }
}
