package io.holdfast.redis;

import io.holdfast.spi.LockStore;
import io.holdfast.tck.BadInputContract;
import io.holdfast.tck.LossContract;
import io.holdfast.tck.PlaceContract;
import io.holdfast.tck.RefusalContract;
import io.holdfast.tck.SharedClaimContract;
import io.holdfast.tck.StoreBinding;
import io.holdfast.tck.StoreContract;
import io.holdfast.tck.TokenContract;
import io.holdfast.tck.WatchContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("A quorum of three Redis servers, in short:")
class RedisQuorumTest implements RedisQuorumBinding {

    private static RedisServers servers;

    @BeforeAll
    static void startServers() {
        servers = RedisServers.start(3);
    }

    @AfterAll
    static void stopServers() {
        servers.close();
    }

    @Override
    public RedisServers servers() {
        return servers;
    }

    @Override
    public LockStore newStore() {
        return new SettledStore(RedisQuorumBinding.super.newStore());
    }

    @Nested
    @DisplayName("A store")
    class Stores extends StoreContract {
        @Override
        protected StoreBinding store() {
            return RedisQuorumTest.this;
        }
    }

    @Nested
    @DisplayName("Shared claims")
    class SharedClaims extends SharedClaimContract {
        @Override
        protected StoreBinding store() {
            return RedisQuorumTest.this;
        }
    }

    @Nested
    @DisplayName("Places in a queue")
    class Places extends PlaceContract {
        @Override
        protected StoreBinding store() {
            return RedisQuorumTest.this;
        }
    }

    @Nested
    @DisplayName("A watch")
    class Watches extends WatchContract {
        @Override
        protected StoreBinding store() {
            return RedisQuorumTest.this;
        }
    }

    @Nested
    @DisplayName("Bad input")
    class BadInputs extends BadInputContract {
        @Override
        protected StoreBinding store() {
            return RedisQuorumTest.this;
        }
    }

    @Nested
    @DisplayName("A refusal")
    class Refusals extends RefusalContract {
        @Override
        protected StoreBinding store() {
            return RedisQuorumTest.this;
        }
    }

    @Nested
    @DisplayName("A token")
    class Tokens extends TokenContract {
        @Override
        protected StoreBinding store() {
            return RedisQuorumTest.this;
        }
    }

    @Nested
    @DisplayName("A lost lock")
    class Losses extends LossContract {
        @Override
        protected StoreBinding store() {
            return RedisQuorumTest.this;
        }
    }
}
