package io.holdfast.tck;

import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Claimant;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims that share a name, asked of the store itself. */
public abstract class SharedClaimContract extends Contract {

    private static final Duration BRIEF = Duration.ofMillis(150);

    private final String name = name();

    @SuppressWarnings("NullAway.Init")
    private Claims alice;

    @SuppressWarnings("NullAway.Init")
    private Claims bob;

    @BeforeEach
    final void connect() {
        alice = new Claims(openStore());
        bob = new Claims(openStore());
    }

    @Test
    @DisplayName("hold together, and keep out one that wants the lock for itself")
    void holdTogether() throws Exception {
        Claim first = alice.shared(name, QueuePolicy.BARGES);
        Claim second = bob.shared(name, QueuePolicy.BARGES);
        Claim third = alice.shared(name, QueuePolicy.QUEUES);
        long token = alice.granted(first);
        assertThat(bob.granted(second)).isGreaterThan(token);
        alice.granted(third);
        Claim writer = bob.exclusive(name, QueuePolicy.BARGES);
        assertThat(bob.refused(writer)).isBetween(LONG.dividedBy(2), LONG);
        alice.frees(first);
        bob.frees(second);
        bob.refused(writer);
        alice.release(third);
        bob.granted(writer);
        alice.refused(alice.shared(name, QueuePolicy.BARGES));
    }

    @Test
    @DisplayName("end each with its own lease, whatever becomes of the others")
    void endAlone() throws Exception {
        Claim brief = alice.shared(name, QueuePolicy.BARGES).withLease(BRIEF);
        Claim kept = bob.shared(name, QueuePolicy.BARGES);
        alice.granted(brief);
        bob.granted(kept);
        until("the lease of 150 ms is over, though another claim is renewed", SOON, () -> {
            bob.renew(kept); // which gives the other no time
            bob.granted(kept);
            return bob.inspect(name).holders().size() == 1;
        });
        assertThat(alice.renew(brief)).as("renewed, though it is over").isEmpty();
        alice.freesNothing(brief);
        assertThat(bob.holder(name)).isEqualTo(kept.id());
        assertThat(bob.timeLeft(name)).isGreaterThan(LONG.dividedBy(2));
    }

    @Test
    @DisplayName("that are over free the lock for one that wants it for itself, though others came and went meanwhile")
    void freeTheLock() throws Exception {
        long start = System.nanoTime();
        alice.granted(alice.shared(name, QueuePolicy.BARGES).withLease(SHORT));
        Claim writer = bob.exclusive(name, QueuePolicy.BARGES);
        until("the writer is granted", SOON, () -> {
            Claim passing = bob.shared(name, QueuePolicy.BARGES);
            if (bob.isGranted(passing)) {
                bob.release(passing);
            }
            return bob.isGranted(writer);
        });
        assertThat(since(start)).isBetween(SHORT.minusMillis(2), SHORT.plus(SLACK));
    }

    @Test
    @DisplayName("are granted again with the token that they have")
    void areGrantedAgain() throws Exception {
        Claim claim = alice.shared(name, QueuePolicy.QUEUES);
        long token = alice.granted(claim);
        assertThat(bob.granted(bob.shared(name, QueuePolicy.BARGES))).isGreaterThan(token);
        assertThat(alice.granted(claim)).isEqualTo(token);
        assertThat(alice.inspect(name).holders()).hasSize(2);
        alice.frees(claim);
        alice.freesNothing(claim);
        assertThat(alice.inspect(name).holders()).hasSize(1);
    }

    @Test
    @DisplayName("may stand beside the owner's own that has the lock for itself, and stay when that goes")
    void standBeside() throws Exception {
        Claim writer = alice.exclusive(name, QueuePolicy.BARGES);
        alice.granted(writer);
        Claim reader = alice.sharedBeside(name, writer);
        alice.granted(reader);
        bob.refused(bob.shared(name, QueuePolicy.BARGES));
        bob.refused(bob.sharedBeside(name, bob.exclusive(name, QueuePolicy.BARGES)));
        alice.frees(writer);
        bob.granted(bob.shared(name, QueuePolicy.BARGES));
        bob.refused(bob.exclusive(name, QueuePolicy.BARGES));
        assertThat(alice.statuses(reader)).containsEntry(reader.id(), ClaimStatus.HELD);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = QueuePolicy.class,
            names = {"BARGES", "BARGES_OR_QUEUES"})
    @DisplayName("that stand beside the owner's own pass whatever waits, for that waits for their owner")
    void passThoseWaitingForTheirOwner(QueuePolicy policy) throws Exception {
        Claim writer = alice.exclusive(name, QueuePolicy.BARGES);
        alice.granted(writer);
        Claim first = bob.exclusive(name, QueuePolicy.QUEUES);
        Claim second = bob.shared(name, QueuePolicy.QUEUES);
        bob.refused(first);
        bob.refused(second);
        Claim reader = alice.sharedBeside(name, writer, policy);
        long token = alice.granted(reader);
        assertThat(alice.granted(reader)).isEqualTo(token);
        assertThat(bob.queue(ResourceType.LOCK, name)).containsExactly(first.id(), second.id());
        alice.frees(writer);
        bob.refused(first);
        alice.frees(reader);
        bob.granted(first);
    }

    @Test
    @DisplayName("that would stand beside a claim that is gone wait as any other does")
    void waitOnceTheirOwnersIsGone() throws Exception {
        Claim gone = alice.exclusive(name, QueuePolicy.BARGES);
        alice.granted(gone);
        alice.frees(gone);
        Claim other = bob.exclusive(name, QueuePolicy.BARGES);
        bob.granted(other);
        Claim reader = alice.sharedBeside(name, gone, QueuePolicy.BARGES_OR_QUEUES);
        alice.refused(reader);
        assertThat(bob.queue(ResourceType.LOCK, name)).containsExactly(reader.id());
        bob.frees(other);
        alice.granted(reader);
    }

    @Test
    @DisplayName("wait behind one that wants the lock for itself and came before them, if they give way")
    void giveWay() throws Exception {
        Claim held = alice.shared(name, QueuePolicy.BARGES);
        alice.granted(held);
        Claim writer = bob.exclusive(name, QueuePolicy.QUEUES);
        bob.refused(writer);
        Claim polite = alice.shared(name, QueuePolicy.GIVES_WAY);
        Claim queued = alice.shared(name, QueuePolicy.QUEUES);
        alice.refused(polite);
        alice.refused(queued);
        assertThat(bob.queue(ResourceType.LOCK, name)).containsExactly(writer.id(), queued.id());
        alice.granted(alice.shared(name, QueuePolicy.BARGES));
        alice.forceRelease(name);
        alice.refused(queued);
        bob.granted(writer);
        bob.release(writer);
        alice.granted(queued);
        alice.granted(polite);
    }

    @Test
    @DisplayName("are all shown with what they have, and all ended by force")
    void areShown() throws Exception {
        Claim first = alice.shared(name, QueuePolicy.BARGES);
        Claim second = bob.shared(name, QueuePolicy.BARGES).withHolds(2);
        long token = alice.granted(first);
        bob.granted(second);
        assertThat(bob.inspect(name).holders())
                .extracting(Claimant::claimId)
                .containsExactlyInAnyOrder(first.id(), second.id());
        Claimant shown = bob.inspect(name).holders().stream()
                .filter(holder -> holder.claimId().equals(first.id()))
                .findFirst()
                .orElseThrow();
        assertThat(shown.mode()).isEqualTo(Mode.SHARED);
        assertThat(shown.permits()).isEqualTo(1);
        assertThat(shown.token()).isEqualTo(token);
        assertThat(shown.thread()).isEqualTo("a-thread");
        assertThat(bob.list(name, 10))
                .singleElement()
                .satisfies(state -> assertThat(state.holders()).hasSize(2));
        assertThat(bob.forceRelease(name)).isTrue();
        assertThat(alice.statuses(first, second))
                .as("what is left after it was forced")
                .isEmpty();
        alice.granted(alice.exclusive(name, QueuePolicy.BARGES));
    }
}
