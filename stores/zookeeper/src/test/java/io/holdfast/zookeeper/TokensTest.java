package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.StoreRefusedException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A token")
class TokensTest {

    private static final long EPOCH = 1L << 32;

    @Test
    @DisplayName("is greater than all that the transaction before it has room for, also after an election")
    void rises() {
        assertThat(Tokens.of(8, 0, 0)).isEqualTo(Tokens.of(7, 0, 0) + Tokens.ROOM);
        assertThat(Tokens.of(2 * EPOCH, 0, 0)).isGreaterThan(Tokens.of(2 * EPOCH - 1, 0, 0) + Tokens.ROOM - 1);
    }

    @Test
    @DisplayName("is not below what a large grant has left, until the transactions have passed that")
    void hasAFloor() {
        long floor = Tokens.of(7, 0, 0) + 16_384;
        assertThat(Tokens.of(8, floor, 0)).isEqualTo(floor);
        assertThat(Tokens.isPassed(floor, 8, 0)).isFalse();
        assertThat(Tokens.isPassed(floor, 7 + 16_384 / Tokens.ROOM, 0)).isTrue();
    }

    @Test
    @DisplayName("is below 2^53 after 32,000 elections, and refused when there is no room for it any more")
    void isBounded() {
        assertThat(Tokens.of(32_000 * EPOCH, 0, 0)).isBetween(1L, 1L << 53);
        assertThatThrownBy(() -> Tokens.of(32_768 * EPOCH, 0, 0))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("elections");
    }
}
