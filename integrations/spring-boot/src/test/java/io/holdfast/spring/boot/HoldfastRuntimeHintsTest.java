package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcStore;
import io.holdfast.redis.RedisStore;
import io.holdfast.spi.LockStoreProvider;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

@DisplayName("The hints for native images")
class HoldfastRuntimeHintsTest {

    private final RuntimeHints hints = new RuntimeHints();

    HoldfastRuntimeHintsTest() {
        new HoldfastRuntimeHints().registerHints(hints, getClass().getClassLoader());
    }

    @Test
    @DisplayName("name every script and every statement of the stores, and the service file")
    void resources() throws Exception {
        List<String> scripts = Stream.concat(files(RedisStore.class).stream(), files(JdbcStore.class).stream())
                .filter(name -> name.endsWith(".lua") || name.endsWith(".sql"))
                .toList();
        assertThat(scripts).hasSizeGreaterThan(50);
        assertThat(scripts)
                .allSatisfy(name -> assertThat(RuntimeHintsPredicates.resource().forResource(name))
                        .accepts(hints));
        assertThat(RuntimeHintsPredicates.resource()
                        .forResource("META-INF/services/" + LockStoreProvider.class.getName()))
                .accepts(hints);
    }

    @Test
    @DisplayName("let the stores be made that are found by a URI")
    void providers() {
        List<Class<? extends LockStoreProvider>> types = ServiceLoader.load(LockStoreProvider.class).stream()
                .<Class<? extends LockStoreProvider>>map(ServiceLoader.Provider::type)
                .toList();
        assertThat(types).hasSizeGreaterThanOrEqualTo(4);
        assertThat(types)
                .allSatisfy(type -> assertThat(RuntimeHintsPredicates.reflection()
                                .onType(type)
                                .withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS))
                        .accepts(hints));
    }

    /** What the jar or the directory of a class contains. */
    private static List<String> files(Class<?> type) throws IOException, URISyntaxException {
        Path place =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
            return names(place);
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            return names(jar.getPath("/"));
        }
    }

    private static List<String> names(Path root) throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .toList();
        }
    }
}
