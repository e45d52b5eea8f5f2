package io.holdfast.tck.broken;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import io.holdfast.tck.StoreIntegration;
import io.holdfast.tck.StoreSpecification;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** That the suites can fail. The tests that are named here pass on a sound store, and fail on one with that fault. */
@DisplayName("The suites find a store that")
@Execution(ExecutionMode.CONCURRENT)
class BrokenStoreTest {

    static final List<Arguments> FAULTS = List.of(
            fault(
                    Fault.ALWAYS_GRANTS,
                    "Stores.grantsOnce",
                    "Stores.grantsToOneOfMany",
                    "Locks.excludes",
                    "Locks.excludesInEveryWay",
                    "Locks.doesNotWait",
                    "Processes.excludes"),
            fault(
                    Fault.REUSES_TOKENS,
                    "Stores.reservesTokens",
                    "Tokens.risesOverClients",
                    "Tokens.risesAfterExpiry",
                    "Tokens.risesAfterForce",
                    "Tokens.risesAfterClose"),
            fault(Fault.RESERVES_NO_TOKENS, "Stores.reservesTokens", "Tokens.risesOverHandOff"),
            fault(Fault.IGNORES_FLOORS, "Stores.heedsTheFloor"),
            fault(Fault.CLAIMS_ONCE, "Stores.claimsAgain", "Faults.excludesWithLostAnswers"),
            fault(
                    Fault.RELEASES_ANYTHING,
                    "Stores.ignoresLateCommands",
                    "Stores.releasesAWaitingClaim",
                    "Stores.expires",
                    "Losses.isNoticedByUnlock"),
            fault(Fault.RENEWS_THE_DEAD, "Stores.renewsABatch", "Stores.forces", "Losses.isNoticedWhenForced"),
            fault(Fault.NEVER_RENEWS, "Stores.renews", "Stores.renewsABatch", "Leases.isRenewed"),
            fault(Fault.SHORTENS, "Stores.neverShortens"),
            fault(Fault.NEVER_EXPIRES, "Stores.expires", "Stores.grantsOnce"),
            fault(
                    Fault.EXPIRES_EARLY,
                    "Stores.expires",
                    "Stores.neverShortens",
                    "Leases.endsForTheHolderFirst",
                    "Leases.hasNoMoreTimeLeft"),
            fault(Fault.RAISES_NO_TOKEN, "Stores.raisesTokens"),
            fault(Fault.FORCES_WHATEVER_HOLDS, "Stores.forcesTheOneThatWasSeen"),
            fault(Fault.NEVER_NOTIFIES, "Watches.onRelease"),
            fault(Fault.CONFUSES_NAMES, "Names.thatIsOdd", "Names.isGivenBackAlone", "Names.wakesItsOwn"),
            fault(Fault.SERVES_IN_REVERSE, "Tickets.areInOrder", "Fairs.servesInOrder", "ReadWrites.servesInOrder"),
            fault(Fault.KEEPS_DEAD_PLACES, "Tickets.end", "Fairs.passesTheDead", "DeadWaiters.arePassedOver"),
            fault(Fault.CALLS_EVERYBODY, "HandOvers.costsTheSameForMany"),
            fault(
                    Fault.CALLS_NOBODY,
                    "Tickets.sayHowTheyStand",
                    "Permits.areCalledFor",
                    "Locks.wakesOthers",
                    "Fairs.goesOnWhenTheFrontLeaves"),
            fault(Fault.MISTAKES_PLACES, "Tickets.areGrantedOnRelease"),
            fault(Fault.LETS_READERS_TO_WRITERS, "SharedClaims.standBeside", "ReadWrites.sharesAndExcludes"),
            fault(Fault.HAS_ONE_LEASE_FOR_ALL, "SharedClaims.endAlone", "ReadWrites.isFreedOfADeadReader"),
            fault(
                    Fault.HAS_ONE_PERMIT_MORE,
                    "Permits.areGivenWhileThereAreEnough",
                    "Permits.areRefused",
                    "Semaphores.givesAnyNumber",
                    "Semaphores.refusesMoreThanItHas"),
            fault(Fault.ADDS_PERMITS_AGAIN, "Permits.areCountedOnce", "Semaphores.addsPermitsOnce"),
            fault(
                    Fault.COUNTS_DOWN_AGAIN,
                    "StoredLatches.isCountedDown",
                    "StoredLatches.isCountedDownByMany",
                    "Latches.countsAnIdOnce",
                    "Latches.countsOnceWithLostAnswers"));

    private static Arguments fault(Fault fault, String... tests) {
        return arguments(fault, Set.of(tests));
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("FAULTS")
    @DisplayName("has a fault")
    void findsTheFault(Fault fault, Set<String> tests) {
        Events events = EngineTestKit.engine("junit-jupiter")
                .configurationParameter(BrokenStore.PARAMETER, "broken:" + fault + ":" + UUID.randomUUID())
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "3")
                .selectors(tests.stream().map(BrokenStoreTest::selector).toArray(DiscoverySelector[]::new))
                .execute()
                .testEvents();
        assertThat(events.started().count()).isEqualTo(tests.size());
        assertThat(names(events.failed())).isEqualTo(new TreeSet<>(tests));
    }

    private static DiscoverySelector selector(String test) {
        String[] parts = test.split("\\.");
        return isPartOf(StoreSpecification.class, parts[0])
                ? selector(BrokenStore.Specification.class, StoreSpecification.class, parts)
                : selector(BrokenStore.Integration.class, StoreIntegration.class, parts);
    }

    private static boolean isPartOf(Class<?> suite, String contract) {
        return Arrays.stream(suite.getDeclaredClasses())
                .anyMatch(part -> part.getSimpleName().equals(contract));
    }

    private static DiscoverySelector selector(Class<?> broken, Class<?> suite, String[] parts) {
        return selectNestedMethod(List.of(broken.getName()), suite.getName() + "$" + parts[0], parts[1]);
    }

    private static Set<String> names(Events failed) {
        return failed.stream()
                .map(event -> event.getTestDescriptor())
                .map(test ->
                        contract(test) + "." + test.getLegacyReportingName().replace("()", ""))
                .collect(toCollection(TreeSet::new));
    }

    private static String contract(TestDescriptor test) {
        return Stream.of(test.getParent().orElseThrow().getLegacyReportingName().split("[.$]"))
                .reduce((first, last) -> last)
                .orElseThrow();
    }
}
