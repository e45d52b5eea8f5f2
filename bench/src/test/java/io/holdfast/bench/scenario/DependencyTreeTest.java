package io.holdfast.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.bench.contestant.Contestant;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The jars that come along")
class DependencyTreeTest {

    private static final String TREE = """
            a:bench:jar:1
            +- a:one:jar:1.1:compile
            |  +- a:shared:jar:2.0:compile (version managed from 1.0)
            |  |  \\- a:deep:jar:3:runtime
            |  \\- (a:two:jar:1.2:compile - omitted for duplicate)
            +- a:two:jar:1.2:compile
            |  \\- (a:shared:jar:2.0:compile - version managed from 2.0; omitted for duplicate)
            \\- a:checks:jar:9:test
               \\- a:more-checks:jar:9:test
            """;

    private final DependencyTree tree = DependencyTree.parse(TREE);

    @Test
    @DisplayName("are found where they are only named, and each counts once")
    void closure() {
        assertThat(tree.closure(List.of("two"))).containsExactlyInAnyOrder("two-1.2", "shared-2.0", "deep-3");
        assertThat(tree.closure(List.of("one", "two")))
                .containsExactlyInAnyOrder("one-1.1", "two-1.2", "shared-2.0", "deep-3");
    }

    @Test
    @DisplayName("are not those of tests")
    void tests() {
        assertThatThrownBy(() -> tree.closure(List.of("checks"))).hasMessageContaining("checks");
    }

    @Test
    @DisplayName("of this build are known for every contestant")
    void build() throws IOException {
        DependencyTree build = DependencyTree.read();
        assertThat(build.closure(Contestant.HOLDFAST.artifacts()))
                .anyMatch(artifact -> artifact.startsWith("lettuce-core-"))
                .noneMatch(artifact -> artifact.startsWith("redisson-"));
        assertThat(build.closure(Contestant.REDISSON.artifacts()))
                .noneMatch(artifact -> artifact.startsWith("lettuce-core-"));
        assertThat(Versions.read()).containsKeys("redisson", "spring-integration-redis");
    }
}
