package io.holdfast.zookeeper;

import io.holdfast.tck.StoreSuite;
import java.util.List;
import java.util.Set;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;

/**
 * The contract, in two halves that run at the same time: it is long, and mostly waiting. One takes what {@link #FIRST} names
 * and the other everything else, so that nothing can be in neither.
 */
abstract class ZooKeeperSuite extends StoreSuite {

    private static final Set<String> FIRST =
            Set.of("Kinds", "Leaks", "Leases", "Closes", "Interrupts", "Tokens", "Queues");

    private static TestingServer server;

    /** Skips the contracts of the other half. */
    static ExecutionCondition half(boolean first) {
        return context -> {
            Class<?> contract = context.getRequiredTestClass();
            boolean isOne = contract.getEnclosingClass() == StoreSuite.class;
            return isOne && FIRST.contains(contract.getSimpleName()) != first
                    ? ConditionEvaluationResult.disabled("it is in the other half")
                    : ConditionEvaluationResult.enabled("it is in this half");
        };
    }

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestingServer();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @Override
    public String uri() {
        return "zookeeper://" + server.getConnectString() + "/tck";
    }

    @Override
    public List<String> oddNames() {
        return List.of(
                "zookeeper",
                "/zookeeper",
                "h~e~1~1~0~a~",
                "c~5~0",
                "%2E",
                "%2e",
                "lock",
                "a~b",
                "\u001f",
                "\u009f",
                "\ue000",
                "\ufff0");
    }

    @Override
    public List<String> wrongUris() {
        return List.of(
                "zookeeper:",
                "zookeeper://",
                "zookeeper:host",
                "zookeeper://host,",
                "zookeeper://host:0",
                "zookeeper://host//a",
                "zookeeper://host/a/../b",
                "zookeeper://host/zookeeper",
                "zookeeper://host/zookeeper/a",
                "zookeeper://host?session=10",
                "zookeeper://host?session=1ms",
                "zookeeper://:" + PASSWORD + "@host",
                "zookeeper://" + PASSWORD + "@host",
                "zookeeper://user:" + PASSWORD + "@",
                "zookeeper://user:" + PASSWORD + "@host:port",
                "zookeeper://user:" + PASSWORD + "@host:99999",
                "zookeeper://user:" + PASSWORD + "@ho st",
                "zookeeper://user:" + PASSWORD + "@host#x",
                "zookeeper://user:" + PASSWORD + "@host?what=this",
                "zookeeper://user:" + PASSWORD + "%@host");
    }

    @Override
    public List<String> secretUris() {
        return List.of(
                "zookeeper://user:" + PASSWORD + "@127.0.0.1:1",
                "zookeeper://user:" + PASSWORD + "@127.0.0.1:1,127.0.0.1:2/chroot?session=5s");
    }
}
