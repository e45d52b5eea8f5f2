package io.holdfast.internal;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Which package may use which. A request goes down through the list: a lock object gives it to the engine, which puts it into a
 * queue, whose claim is sent to the store; the answer comes back through futures and the interfaces of the lower
 * package. So a part can be read, tested and changed with what is below it, and without what is above.
 */
@DisplayName("The packages of core")
class PackageTest {

    /** From the top: each may use those after it, as far as the exceptions below don't say otherwise. */
    private static final List<String> ORDER =
            List.of("lock", "election", "engine", "queue", "latch", "claim", "store", "event", "time");

    /** What a package must not use although it comes later. */
    private static final Map<String, List<String>> NOT = Map.of(
            "queue", List.of("latch"), // a latch has no claims, and no place in a queue
            "latch", List.of("claim"));

    private static final int MOST_TYPES = 22;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.holdfast");

    private static String internal(String name) {
        return "io.holdfast.internal." + name;
    }

    @Test
    @DisplayName("use each other in one direction")
    void dependDownwards() {
        for (int i = 0; i < ORDER.size(); i++) {
            String lower = ORDER.get(i);
            List<String> forbidden = Stream.of(
                            ORDER.subList(0, i), NOT.getOrDefault(lower, List.of()), List.of("memory"))
                    .flatMap(List::stream)
                    .distinct()
                    .toList();
            forbid(lower, forbidden);
        }
        // The in-memory store is a store like any other; it shares the clock of the simulation.
        forbid("memory", ORDER.stream().filter(name -> !name.equals("time")).toList());
    }

    private static void forbid(String user, List<String> used) {
        noClasses()
                .that()
                .resideInAPackage(internal(user))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(used.stream().map(PackageTest::internal).toArray(String[]::new))
                .check(CLASSES);
    }

    @Test
    @DisplayName("leave the constants and the SPI below everything")
    void leaves() {
        noClasses()
                .that()
                .resideInAPackage("io.holdfast.internal")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.holdfast.internal.*")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.holdfast.spi..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.holdfast.internal..")
                .check(CLASSES);
    }

    @Test
    @DisplayName("are small enough to find one's way in")
    void areSmall() {
        Map<String, Long> types = CLASSES.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(type -> type.getPackageName().startsWith("io.holdfast.internal"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
        assertThat(types)
                .hasSize(ORDER.size() + 2)
                .allSatisfy((name, number) -> assertThat(number).as(name).isLessThanOrEqualTo(MOST_TYPES));
    }
}
