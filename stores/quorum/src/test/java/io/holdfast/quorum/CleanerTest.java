package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.quorum.FaultyNode.Fault;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What nobody wants any more")
class CleanerTest {

    private final SimWorld world = new SimWorld(1);
    private final FaultyNode store = new FaultyNode("cleaner-" + UUID.randomUUID());
    private final Node node = new Node(0, store, world, TimeUnit.SECONDS.toNanos(1));
    private final Cleaner cleaner = new Cleaner(world);

    private static Claim claim(int number) {
        return new Claim(
                "lock", "client:" + number, Mode.EXCLUSIVE, Duration.ofSeconds(20), 1, 1, new Owner("c", "h", 1, "t"));
    }

    @Test
    @DisplayName("is given back by itself to a node that was away")
    void givesBackLater() {
        store.with(Fault.DOWN);
        cleaner.giveBack(node, claim(1));
        cleaner.giveBack(node, claim(2));
        world.play(3_000);
        assertThat(cleaner.size()).isEqualTo(2);
        store.resume();
        world.play(3_000);
        assertThat(cleaner.size()).isZero();
    }

    @Test
    @DisplayName("is given back at once to a node that is back, and so is what it missed")
    void givesBackToWhoIsBack() {
        store.with(Fault.DOWN);
        cleaner.giveBack(node, claim(1));
        world.play(3_000);
        assertThat(cleaner.size()).isOne();
        store.resume();
        node.ask(it -> it.inspect(Resource.lock("lock")));
        cleaner.giveBack(node, claim(2));
        assertThat(cleaner.size()).isZero();
    }
}
