package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.StoreRefusedException;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a class path with another Lettuce or Netty lacks is taken from this one. */
@DisplayName("On a class path")
class LibrariesTest {

    @Test
    @DisplayName("with a Netty that is too old, opening a store fails at once and says which versions are needed")
    void olderNetty() throws Exception {
        try (Lacking without = new Lacking("io.netty.channel.MultiThreadIoEventLoopGroup")) {
            InvocationTargetException e =
                    assertThrows(InvocationTargetException.class, () -> without.open("redis://127.0.0.1:1"));
            Throwable refused = e.getCause();
            assertEquals(
                    StoreRefusedException.class.getName(), refused.getClass().getName());
            String message = refused.getMessage();
            assertTrue(message.contains("Lettuce 7 on Netty 4.2"), message);
            assertTrue(message.contains("MultiThreadIoEventLoopGroup"), message);
            assertTrue(message.contains(" and Netty 4."), message);
        }
    }

    @Test
    @DisplayName("that does not link, a command is refused and not repeated, and names what was asked for")
    void refusesCommands() {
        StoreRefusedException e = (StoreRefusedException) new Errors("Redis")
                .translate("Lock \"a\"", new IllegalStateException(new NoSuchMethodError("io.netty.Any")));
        assertFalse(e.retryable());
        assertTrue(e.getMessage().startsWith("Lock \"a\": Lettuce "), e.getMessage());
    }

    /** All of this class path, loaded anew, without some classes. */
    private static final class Lacking extends URLClassLoader {

        private final Set<String> lacking;

        Lacking(String... lacking) {
            super(urls(), ClassLoader.getPlatformClassLoader());
            this.lacking = Set.of(lacking);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (lacking.contains(name)) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }

        void open(String uri) throws Exception {
            Class<?> opener = loadClass(Opener.class.getName());
            Method open = opener.getDeclaredMethod("open", String.class);
            open.setAccessible(true); // which is in another package of the same name
            open.invoke(null, uri);
        }

        private static URL[] urls() {
            return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(File::new)
                    .map(Lacking::url)
                    .toArray(URL[]::new);
        }

        private static URL url(File file) {
            try {
                return file.toURI().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Runs in the other class path. */
    static final class Opener {

        private Opener() {}

        static void open(String uri) {
            RedisStore.open(uri, StoreTest.CONFIG).close();
        }
    }
}
