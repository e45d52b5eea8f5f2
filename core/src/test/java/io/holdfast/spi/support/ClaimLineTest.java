package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.support.Notification.GrantedOnRelease;
import io.holdfast.spi.support.Notification.RevocationRequested;
import io.holdfast.spi.support.Notification.TurnReached;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command is applied to a line of its own, as by a store that loads and writes the state each time. */
@DisplayName("A line of claims")
class ClaimLineTest {

    private static final Owner OWNER = new Owner("client", "host", 1, "thread");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final long TICKET_NANOS = Claim.TICKET.toNanos();

    private LineState state = LineState.EMPTY;
    private long now = 1_000_000_000_000L;
    private long minimumToken = 1;
    private long minimumTicket = 1;
    private LineUpdate update = new LineUpdate(state, state, false, List.of());

    // ---- what the tests do --------------------------------------------------------------------------------------

    private <T extends @Nullable Object> T apply(Function<ClaimLine, T> command) {
        ClaimLine line = new ClaimLine(state, new CommandContext(now, Instant.EPOCH, minimumToken, minimumTicket));
        T answer = command.apply(line);
        update = line.update();
        state = update.state();
        return answer;
    }

    private @Nullable ClaimResult claim(Claim claim) {
        return apply(line -> line.claim(claim));
    }

    private ClaimResult.Granted granted(Claim claim) {
        ClaimResult outcome = claim(claim);
        assertThat(outcome).isInstanceOf(ClaimResult.Granted.class);
        return (ClaimResult.Granted) outcome;
    }

    private ClaimResult.Busy waits(Claim claim) {
        ClaimResult outcome = claim(claim);
        assertThat(outcome).isInstanceOf(ClaimResult.Busy.class);
        return (ClaimResult.Busy) outcome;
    }

    private @Nullable ClaimStatus renew(Claim claim) {
        return apply(line -> line.renew(claim));
    }

    private boolean release(Claim claim) {
        return apply(line -> line.release(claim));
    }

    private int addPermits(String id, int by, int initial) {
        return apply(line -> line.addPermits(id, by, initial));
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private List<String> holders() {
        return state.holders().stream().map(LineEntry::id).toList();
    }

    private List<String> queue() {
        return state.queue().stream().map(LineEntry::id).toList();
    }

    private static Claim exclusive(String id, QueuePolicy policy) {
        return new Claim("name", id, Mode.EXCLUSIVE, LEASE, 1, OWNER, policy, 1, ClaimOptions.NONE);
    }

    private static Claim exclusive(String id) {
        return exclusive(id, QueuePolicy.QUEUES);
    }

    private static Claim shared(String id) {
        return new Claim("name", id, Mode.SHARED, LEASE, 1, OWNER, QueuePolicy.QUEUES, 1, ClaimOptions.NONE);
    }

    private static Claim permits(String id, int permits, int capacity) {
        return new Claim(
                "name",
                id,
                Mode.PERMITS,
                LEASE,
                1,
                OWNER,
                QueuePolicy.QUEUES,
                permits,
                ClaimOptions.NONE.withCapacity(capacity));
    }

    private static Claim compatible(Mode mode, String id, Claim with) {
        return new Claim(
                "name",
                id,
                mode,
                LEASE,
                1,
                OWNER,
                QueuePolicy.BARGES_OR_QUEUES,
                1,
                ClaimOptions.NONE.withCompatible(with.id()));
    }

    private static Claim withTokens(Claim it, int tokens) {
        return new Claim(
                it.name(), it.id(), it.mode(), it.lease(), 1, OWNER, it.policy(), 1, ClaimOptions.tokens(tokens));
    }

    private static List<Notification> turns(Claim... claims) {
        List<Notification> turns = new ArrayList<>();
        for (Claim claim : claims) {
            turns.add(new TurnReached(claim));
        }
        return turns;
    }

    private void assertUnchanged() {
        assertThat(update.isChanged()).isFalse();
        assertThat(update.changedEntries()).isEmpty();
        assertThat(update.removedEntries()).isEmpty();
        assertThat(update.notifications()).isEmpty();
        assertThat(update.freed()).isFalse();
    }

    // ---- the rules ----------------------------------------------------------------------------------------------

    @Nested
    @DisplayName("grants")
    class Grants {

        @Test
        @DisplayName("an exclusive claim when no claim holds")
        void exclusiveClaim() {
            granted(exclusive("a:1"));
            waits(exclusive("b:1"));
            waits(shared("c:1"));
            assertThat(holders()).containsExactly("a:1");
            assertThat(queue()).containsExactly("b:1", "c:1");
        }

        @Test
        @DisplayName("shared claims together, but none past an exclusive claim in the queue")
        void sharedClaims() {
            granted(shared("a:1"));
            granted(shared("b:1"));
            waits(exclusive("c:1"));
            waits(shared("d:1"));
            assertThat(holders()).containsExactly("a:1", "b:1");
        }

        @Test
        @DisplayName("permits as far as the capacity goes, in the order of the queue")
        void permitClaims() {
            granted(permits("a:1", 2, 3));
            waits(permits("b:1", 2, 3));
            assertThat(waits(permits("c:1", 1, 3)).retryAfter())
                    .as("another claim is ahead")
                    .isEqualTo(Claim.TICKET);
            assertThat(queue()).containsExactly("b:1", "c:1");
        }

        @Test
        @DisplayName("a barging claim past the queue, and none that gives way")
        void barging() {
            Claim holder = exclusive("a:1");
            granted(holder);
            waits(exclusive("b:1"));
            release(holder);
            waits(exclusive("c:1", QueuePolicy.GIVES_WAY));
            waits(exclusive("c:2", QueuePolicy.QUEUES));
            granted(exclusive("c:3", QueuePolicy.BARGES));
            assertThat(queue()).containsExactly("b:1", "c:2");
        }

        @Test
        @DisplayName("a barging claim that has a ticket in its turn only")
        void bargingWithTicket() {
            Claim holder = exclusive("a:1");
            Claim second = exclusive("c:1", QueuePolicy.BARGES_OR_QUEUES);
            granted(holder);
            waits(exclusive("b:1"));
            waits(second);
            release(holder);
            waits(second);
            granted(exclusive("b:1"));
        }

        @ParameterizedTest
        @EnumSource(
                value = Mode.class,
                names = {"EXCLUSIVE", "SHARED"})
        @DisplayName("a claim beside the compatible claim of its owner")
        void compatibleClaim(Mode mode) {
            Claim writer = exclusive("a:1");
            granted(writer);
            waits(exclusive("b:1"));
            granted(compatible(mode, "a:2", writer));
            assertThat(holders()).containsExactly("a:1", "a:2");
            waits(compatible(mode, "c:1", exclusive("c:0")));
        }

        @Test
        @DisplayName("no claim for more permits than there are, and takes its ticket away")
        void impossible() {
            Claim large = permits("b:1", 3, 3);
            granted(permits("a:1", 1, 3));
            waits(large);
            addPermits("fewer", -1, 3);
            assertThat(update.notifications()).isEqualTo(turns(large));
            assertThat(renew(large)).isEqualTo(ClaimStatus.TURN_REACHED);
            StoreRefusedException refused = apply(line -> {
                assertThat(line.claim(large)).isNull();
                return line.refusal(large);
            });
            assertThat(refused).hasMessageContaining("2 permits").hasMessageContaining("3");
            assertThat(refused.retryable()).isFalse();
            assertThat(queue()).isEmpty();
        }

        @Test
        @DisplayName("a claim that is held again, whatever the capacity is by now")
        void heldAgain() {
            Claim all = permits("a:1", 3, 3);
            long token = granted(all).token();
            addPermits("fewer", -2, 3);
            assertThat(granted(all).token()).isEqualTo(token);
        }
    }

    @Nested
    @DisplayName("makes a claim wait")
    class Waits {

        @Test
        @DisplayName("with a ticket only if its turn says so")
        void withoutTicket() {
            granted(exclusive("a:1"));
            for (QueuePolicy policy : new QueuePolicy[] {QueuePolicy.BARGES, QueuePolicy.GIVES_WAY}) {
                assertThat(waits(exclusive("b:1", policy)).ticket()).isZero();
                assertUnchanged();
            }
            assertThat(waits(exclusive("b:2", QueuePolicy.BARGES_OR_QUEUES)).ticket())
                    .isPositive();
        }

        @Test
        @DisplayName("until the first lease ends, if no claim is ahead")
        void retryAfter() {
            granted(shared("a:1"));
            pass(Duration.ofSeconds(10));
            granted(shared("b:1"));
            assertThat(waits(exclusive("c:1")).retryAfter()).isEqualTo(Duration.ofSeconds(20));
            assertThat(waits(exclusive("d:1")).retryAfter()).isEqualTo(Claim.TICKET);
        }

        @Test
        @DisplayName("with the ticket that it has, which is kept for longer each time")
        void keepsTicket() {
            granted(exclusive("a:1"));
            Claim waiter = exclusive("b:1");
            long ticket = waits(waiter).ticket();
            for (int i = 0; i < 3; i++) {
                pass(Claim.TICKET.minusNanos(1));
                assertThat(waits(waiter).ticket()).isEqualTo(ticket);
                pass(Claim.TICKET.minusNanos(1));
                assertThat(renew(waiter)).isEqualTo(ClaimStatus.WAITING);
            }
        }

        @Test
        @DisplayName("and ends its ticket when it is not kept; it is then behind the others, with another number")
        void ticketEnds() {
            granted(exclusive("a:1"));
            Claim late = exclusive("b:1");
            Claim punctual = exclusive("c:1");
            long first = waits(late).ticket();
            waits(punctual);
            pass(Claim.TICKET.minusNanos(1));
            renew(punctual);
            pass(Duration.ofNanos(1));
            assertThat(renew(late)).isNull();
            assertThat(update.removedEntries()).extracting(LineEntry::id).containsExactly("b:1");
            assertThat(waits(late).ticket()).isGreaterThan(first);
            assertThat(queue()).containsExactly("c:1", "b:1");
        }

        @Test
        @DisplayName("with a ticket number that is not below the store's minimum")
        void minimumTicket() {
            granted(exclusive("a:1"));
            minimumTicket = 100;
            assertThat(waits(exclusive("b:1")).ticket()).isEqualTo(100);
            minimumTicket = 1;
            assertThat(waits(exclusive("c:1")).ticket()).isEqualTo(101);
            assertThat(state.lastTicket()).isEqualTo(101);
        }

        @Test
        @DisplayName("and asks the revocable holders to let go, no other")
        void revocation() {
            Claim revocable = shared("a:1").asRevocable();
            granted(revocable);
            granted(shared("b:1"));
            waits(exclusive("c:1", QueuePolicy.BARGES));
            assertThat(update.notifications()).containsExactly(new RevocationRequested(revocable));
            assertThat(update.isChanged()).isFalse();
            granted(shared("d:1"));
            assertThat(update.notifications()).isEmpty();
        }

        @Test
        @DisplayName("and asks a holder that has become revocable by a renewal")
        void revocationAfterRenewal() {
            Claim holder = exclusive("a:1");
            granted(holder);
            waits(exclusive("b:1"));
            assertThat(update.notifications()).isEmpty();
            renew(holder.asRevocable());
            waits(exclusive("b:1"));
            assertThat(update.notifications()).containsExactly(new RevocationRequested(holder.asRevocable()));
        }
    }

    @Nested
    @DisplayName("on a release")
    class Releases {

        @Test
        @DisplayName("notifies the claims whose turn is reached, and those that watch")
        void turnReached() {
            Claim holder = exclusive("a:1");
            Claim first = shared("b:1");
            Claim second = shared("c:1");
            granted(holder);
            waits(first);
            waits(second);
            waits(exclusive("d:1"));
            assertThat(release(holder)).isTrue();
            assertThat(update.notifications()).isEqualTo(turns(first, second));
            assertThat(update.freed()).isTrue();
            assertThat(renew(first)).isEqualTo(ClaimStatus.TURN_REACHED);
            assertThat(renew(exclusive("d:1"))).isEqualTo(ClaimStatus.WAITING);
        }

        @Test
        @DisplayName("of one of several holders does not free the name")
        void oneOfSeveral() {
            granted(shared("a:1"));
            granted(shared("b:1"));
            waits(exclusive("c:1"));
            assertThat(release(shared("a:1"))).isTrue();
            assertThat(update.freed()).isFalse();
            assertThat(update.notifications()).isEmpty();
        }

        @Test
        @DisplayName("of a claim that waits notifies the claims behind it")
        void ofAWaiter() {
            granted(shared("a:1"));
            Claim writer = exclusive("b:1");
            Claim reader = shared("c:1");
            waits(writer);
            waits(reader);
            assertThat(release(writer)).isFalse();
            assertThat(update.notifications()).isEqualTo(turns(reader));
            assertThat(update.freed()).isFalse();
        }

        @Test
        @DisplayName("grants to the first in the queue, if it may be granted on release")
        void grantedOnRelease() {
            Claim holder = exclusive("a:1");
            Claim first = exclusive("b:1").grantedOnRelease();
            long token = granted(holder).token();
            long ticket = waits(first).ticket();
            waits(exclusive("c:1").grantedOnRelease());
            release(holder);
            assertThat(update.notifications())
                    .containsExactly(new GrantedOnRelease(first, ticket, new ClaimResult.Granted(token + 1)));
            assertThat(update.freed()).isFalse();
            assertThat(holders()).containsExactly("b:1");
            assertThat(queue()).containsExactly("c:1");
            assertThat(state.holders().get(0).endsAt()).as("its ticket's end").isEqualTo(now + TICKET_NANOS);
            assertThat(granted(first).token()).as("asked for again").isEqualTo(token + 1);
            assertThat(state.holders().get(0).endsAt()).isEqualTo(now + LEASE.toNanos());
        }

        @Test
        @DisplayName("grants for no longer than the claim's lease")
        void grantedForItsLease() {
            Claim holder = exclusive("a:1");
            Claim first = exclusive("b:1").grantedOnRelease().withLease(Duration.ofMillis(50));
            granted(holder);
            waits(first);
            release(holder);
            assertThat(state.holders().get(0).endsAt())
                    .isEqualTo(now + Duration.ofMillis(50).toNanos());
        }

        @Test
        @DisplayName("grants to no claim behind the first, and to none whose ticket has ended")
        void grantsToTheFirstOnly() {
            Claim holder = exclusive("a:1");
            Claim first = exclusive("b:1");
            granted(holder);
            waits(first);
            waits(exclusive("c:1").grantedOnRelease());
            release(holder);
            assertThat(update.notifications()).isEqualTo(turns(first));
            granted(first);
            pass(Claim.TICKET);
            release(first);
            assertThat(update.notifications()).isEmpty();
            assertThat(update.freed()).isTrue();
        }

        @Test
        @DisplayName("that is forced ends all holders and grants to no claim by itself")
        void forced() {
            granted(shared("a:1"));
            granted(shared("b:1"));
            Claim first = exclusive("c:1").grantedOnRelease();
            waits(first);
            assertThat(force()).isTrue();
            assertThat(holders()).isEmpty();
            assertThat(update.freed()).isTrue();
            assertThat(update.notifications()).isEqualTo(turns(first));
            assertThat(force()).isFalse();
            assertUnchanged();
        }

        private boolean force() {
            return apply(line -> line.forceRelease(OptionalLong.empty()));
        }
    }

    @Nested
    @DisplayName("gives tokens")
    class Tokens {

        @Test
        @DisplayName("that rise by the range that each claim reserves")
        void ranges() {
            Claim first = withTokens(exclusive("a:1"), 10);
            assertThat(granted(first).token()).isEqualTo(1);
            assertThat(state.lastToken()).isEqualTo(10);
            release(first);
            assertThat(granted(exclusive("b:1")).token()).isEqualTo(11);
        }

        @Test
        @DisplayName("that are not below the store's minimum, and above the line's last in any case")
        void storeMinimum() {
            minimumToken = 1_000;
            Claim first = withTokens(exclusive("a:1"), 10);
            assertThat(granted(first).token()).isEqualTo(1_000);
            release(first);
            minimumToken = 5;
            assertThat(granted(exclusive("b:1")).token()).isEqualTo(1_010);
        }

        @Test
        @DisplayName("that begin with the claim's minimum token")
        void claimMinimum() {
            assertThat(granted(exclusive("a:1").withMinToken(50)).token()).isEqualTo(50);
            release(exclusive("a:1"));
            assertThat(granted(exclusive("b:1").withMinToken(20)).token()).isEqualTo(51);
        }

        @Test
        @DisplayName("to a held claim anew if its minimum token is greater: that one, if the grant was the last")
        void raisesHeld() {
            Claim holder = withTokens(exclusive("a:1"), 10);
            granted(holder);
            minimumToken = 11;
            assertThat(granted(holder.withMinToken(5)).token()).isEqualTo(5);
            assertThat(state.lastToken()).isEqualTo(14);
            assertThat(granted(holder.withMinToken(5)).token()).as("repeated").isEqualTo(5);
            assertThat(granted(holder).token()).as("a late command").isEqualTo(5);
        }

        @Test
        @DisplayName("to a held claim above all others' if the grant was not the last")
        void raisesHeldPastOthers() {
            granted(shared("a:1"));
            granted(shared("b:1"));
            assertThat(granted(shared("a:1").withMinToken(2)).token()).isEqualTo(3);
            minimumToken = 100;
            assertThat(granted(shared("a:1").withMinToken(4)).token()).isEqualTo(100);
            assertThat(state.lastToken()).isEqualTo(100);
        }

        @Test
        @DisplayName("together with the same client's claims that are next, as many as it has tokens for")
        void nextOfTheClient() {
            Claim holder = exclusive("x:1");
            Claim claim = withTokens(exclusive("a:1"), 3);
            granted(holder);
            waits(claim);
            long second = waits(exclusive("a:2")).ticket();
            long third = waits(exclusive("a:3")).ticket();
            waits(exclusive("a:4"));
            release(holder);
            assertThat(granted(claim).next())
                    .containsExactly(new ClaimResult.Next("a:2", second), new ClaimResult.Next("a:3", third));
        }

        @Test
        @DisplayName("with no next claims behind another client's, nor for a barging claim")
        void nextEndsWithAnotherClient() {
            Claim holder = exclusive("x:1");
            Claim claim = withTokens(exclusive("a:1"), 9);
            granted(holder);
            waits(claim);
            waits(exclusive("b:1"));
            waits(exclusive("a:2"));
            release(holder);
            assertThat(granted(withTokens(exclusive("b:9", QueuePolicy.BARGES), 9))
                            .next())
                    .isEmpty();
            release(exclusive("b:9"));
            assertThat(granted(claim).next()).isEmpty();
        }
    }

    @Nested
    @DisplayName("on a renewal")
    class Renewals {

        @Test
        @DisplayName("keeps a lease for longer, and never for shorter")
        void lease() {
            Claim holder = exclusive("a:1");
            granted(holder);
            long end = state.holders().get(0).endsAt();
            assertThat(renew(holder.withLease(Duration.ofSeconds(1)))).isEqualTo(ClaimStatus.HELD);
            assertThat(state.holders().get(0).endsAt()).isEqualTo(end);
            pass(LEASE.minusNanos(1));
            assertThat(renew(holder)).isEqualTo(ClaimStatus.HELD);
            pass(LEASE);
            assertThat(renew(holder)).isNull();
            assertThat(state.holders()).isEmpty();
        }

        @Test
        @DisplayName("takes permits back that are given up, never gives more, and notifies the claims that fit now")
        void permitsGivenUp() {
            Claim three = permits("a:1", 3, 3);
            Claim two = permits("b:1", 2, 3);
            granted(three);
            waits(two);
            renew(three.withPermits(1));
            assertThat(update.notifications()).isEqualTo(turns(two));
            renew(three);
            assertThat(state.holders().get(0).claim().permits())
                    .as("a late command")
                    .isEqualTo(1);
            assertThat(update.notifications()).isEmpty();
            granted(two);
        }

        @Test
        @DisplayName("takes over the hold count")
        void holds() {
            Claim holder = exclusive("a:1");
            granted(holder);
            renew(holder.withHolds(3));
            assertThat(state.holders().get(0).claim().holds()).isEqualTo(3);
            assertThat(update.changedEntries()).extracting(LineEntry::id).containsExactly("a:1");
        }

        @Test
        @DisplayName("of a claim that is unknown changes nothing")
        void unknown() {
            granted(exclusive("a:1"));
            assertThat(renew(exclusive("b:1"))).isNull();
            assertUnchanged();
        }
    }

    @Nested
    @DisplayName("of a semaphore")
    class Capacity {

        @Test
        @DisplayName("takes the capacity from the first claim, and not from later ones")
        void initial() {
            granted(permits("a:1", 1, 3));
            granted(permits("b:1", 1, 9));
            assertThat(state.capacity()).isEqualTo(3);
        }

        @Test
        @DisplayName("changes it once for each id, and notifies the claims that fit now")
        void changes() {
            granted(permits("a:1", 3, 3));
            Claim waiter = permits("b:1", 2, 3);
            waits(waiter);
            assertThat(addPermits("more", 2, 9)).isEqualTo(5);
            assertThat(update.notifications()).isEqualTo(turns(waiter));
            assertThat(addPermits("more", 2, 9)).isEqualTo(5);
            assertThat(addPermits("other", 1, 9)).isEqualTo(6);
            assertThat(addPermits("more", 2, 9)).as("late").isEqualTo(6);
        }

        @Test
        @DisplayName("leaves out a change that the store knows to be applied")
        void noted() {
            assertThat(addPermits("more", 2, 3)).isEqualTo(5);
            int again = apply(line -> {
                line.noteCapacityChange("elsewhere");
                return line.addPermits("elsewhere", 7, 3);
            });
            assertThat(again).isEqualTo(5);
        }

        @Test
        @DisplayName("keeps it between zero and the greatest int")
        void bounds() {
            assertThat(addPermits("fewer", -5, 3)).isZero();
            assertThat(addPermits("more", Integer.MAX_VALUE, 3)).isEqualTo(Integer.MAX_VALUE);
            assertThat(addPermits("most", Integer.MAX_VALUE, 3)).isEqualTo(Integer.MAX_VALUE);
        }

        @Test
        @DisplayName("leaves permits that are out with their holders when there are fewer")
        void fewer() {
            Claim holder = permits("a:1", 3, 3);
            granted(holder);
            addPermits("fewer", -2, 3);
            assertThat(renew(holder)).isEqualTo(ClaimStatus.HELD);
            waits(permits("b:1", 1, 3));
            release(holder);
            granted(permits("b:1", 1, 3));
        }

        @Test
        @DisplayName("keeps it for a day after the last use")
        void kept() {
            Claim holder = permits("a:1", 1, 3);
            granted(holder);
            release(holder);
            pass(ClaimLine.CAPACITY_KEPT.minusNanos(1));
            assertThat(renew(holder)).isNull();
            assertThat(state.isEmpty()).isFalse();
            pass(Duration.ofNanos(1));
            assertThat(renew(holder)).isNull();
            assertThat(state.isEmpty()).isTrue();
            granted(permits("b:1", 1, 7));
            assertThat(state.capacity()).isEqualTo(7);
        }
    }

    @Nested
    @DisplayName("tells a store what to write")
    class Updates {

        @Test
        @DisplayName("the entries that changed or went, and no others")
        void difference() {
            granted(shared("a:1"));
            granted(shared("b:1"));
            waits(exclusive("c:1"));
            assertThat(update.changedEntries()).extracting(LineEntry::id).containsExactly("c:1");
            assertThat(update.removedEntries()).isEmpty();
            release(shared("a:1"));
            assertThat(update.changedEntries()).isEmpty();
            assertThat(update.removedEntries()).extracting(LineEntry::id).containsExactly("a:1");
        }

        @Test
        @DisplayName("the entry of a claim that is granted from the queue")
        void granting() {
            granted(exclusive("a:1"));
            waits(exclusive("b:1"));
            release(exclusive("a:1"));
            granted(exclusive("b:1"));
            assertThat(update.changedEntries()).isEqualTo(state.holders());
            assertThat(update.removedEntries()).isEmpty();
        }

        @Test
        @DisplayName("that nothing of a lock is left when the last claim is gone, except its last token")
        void empty() {
            granted(exclusive("a:1"));
            assertThat(state.isEmpty()).isFalse();
            release(exclusive("a:1"));
            assertThat(state.isEmpty()).isTrue();
            assertThat(state.lastToken()).isEqualTo(1);
        }

        @Test
        @DisplayName("once for several commands")
        void several() {
            apply(line -> {
                line.claim(exclusive("a:1"));
                line.claim(exclusive("b:1"));
                return line.release(exclusive("a:1"));
            });
            assertThat(update.before()).isEqualTo(LineState.EMPTY);
            assertThat(queue()).containsExactly("b:1");
            assertThat(update.notifications()).isEqualTo(turns(exclusive("b:1")));
            assertThat(update.freed()).isTrue();
        }

        @Test
        @DisplayName("and leaves what was loaded as it is")
        void loadedStays() {
            granted(exclusive("a:1"));
            LineState loaded = state;
            release(exclusive("a:1"));
            assertThat(loaded.holders()).hasSize(1);
            assertThat(update.before()).isSameAs(loaded);
        }
    }

    @Nested
    @DisplayName("leaves, when a command is repeated or late, what it left")
    class Repeated {

        @Test
        @DisplayName("of a claim: the same token or ticket")
        void claims() {
            Claim holder = exclusive("a:1");
            Claim waiter = exclusive("b:1");
            ClaimResult granted = claim(holder);
            ClaimResult waiting = claim(waiter);
            LineState once = state;
            assertThat(claim(holder)).isEqualTo(granted);
            assertThat(claim(waiter)).isEqualTo(waiting);
            assertThat(state).isEqualTo(once);
        }

        @Test
        @DisplayName("of a renewal")
        void renewals() {
            granted(exclusive("a:1"));
            waits(exclusive("b:1"));
            renew(exclusive("a:1"));
            renew(exclusive("b:1"));
            LineState once = state;
            assertThat(renew(exclusive("a:1"))).isEqualTo(ClaimStatus.HELD);
            assertThat(renew(exclusive("b:1"))).isEqualTo(ClaimStatus.WAITING);
            assertThat(state).isEqualTo(once);
        }

        @Test
        @DisplayName("of a release: no other claim is touched or notified")
        void releases() {
            Claim holder = exclusive("a:1");
            granted(holder);
            waits(exclusive("b:1"));
            release(holder);
            granted(exclusive("b:1"));
            waits(exclusive("c:1"));
            assertThat(release(holder)).isFalse();
            assertUnchanged();
        }

        @Test
        @DisplayName("of a release that granted: the grant stays")
        void releaseThatGranted() {
            Claim holder = exclusive("a:1");
            granted(holder);
            waits(exclusive("b:1").grantedOnRelease());
            release(holder);
            assertThat(release(holder)).isFalse();
            assertUnchanged();
            assertThat(holders()).containsExactly("b:1");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 1_000_000_000L, Long.MIN_VALUE, -1})
    @DisplayName("works on a clock that overflows")
    void overflow(long start) {
        now = start;
        Claim holder = exclusive("a:1");
        granted(holder);
        assertThat(waits(exclusive("b:1")).retryAfter()).isEqualTo(LEASE);
        assertThat(renew(holder)).isEqualTo(ClaimStatus.HELD);
        pass(LEASE.minusNanos(1));
        waits(exclusive("c:1"));
        pass(Duration.ofNanos(1));
        assertThat(queue()).containsExactly("c:1");
        granted(exclusive("c:1"));
    }
}
