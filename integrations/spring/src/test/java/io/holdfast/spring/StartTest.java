package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@DisplayName("The start of a context fails")
class StartTest {

    @Configuration
    @EnableHoldfastLocks
    static class Config {

        @Bean
        Holdfast holdfast() {
            return Holdfast.connect("memory:");
        }
    }

    static class Private {
        @WithLock("a")
        private void run() {}

        void call() {
            run();
        }
    }

    static class Static {
        @WithLock("a")
        static void run() {}
    }

    static class Final {
        @WithLock("a")
        public final void run() {}
    }

    static final class FinalClass {
        @WithLock("a")
        public void run() {}
    }

    static class CallsItself {
        @WithLock("a")
        public void run() {}

        public void call(int n) {
            for (int i = 0; i < n; i++) {
                run();
            }
        }
    }

    static class CallsItselfWithArguments {
        @WithLock("a:{#id}")
        public String run(long id, String name) {
            return id + name;
        }

        public String call(String name) {
            return "x" + this.run(name.length() + 1L, name.strip());
        }
    }

    static class CallsItselfInALambda {
        @WithLock("a")
        public void run() {}

        public Runnable call() {
            return () -> run();
        }
    }

    static class RefersToItself {
        @WithLock("a")
        public void run() {}

        public Runnable call() {
            return this::run;
        }
    }

    static class UnknownVariable {
        @WithLock("a:{#order}")
        public void run(long id) {}
    }

    static class NotClosed {
        @WithLock("a:{#id")
        public void run(long id) {}
    }

    static class Hash {
        @WithLock("a:#{#id}")
        public void run(long id) {}
    }

    static class NoName {
        @WithLock
        public void run() {}
    }

    static class NoSpel {
        @WithLock("a:{#id +}")
        public void run(long id) {}
    }

    static class NoDuration {
        @WithLock(name = "a", waitAtMost = "soon")
        public void run() {}
    }

    static class SkippedPrimitive {
        @WithLock(name = "a", onBusy = OnBusy.SKIP)
        public int run() {
            return 1;
        }
    }

    static class PlainFuture {
        @WithLock("a")
        public Future<String> run() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class LazyStream {
        @WithLock("a")
        public Stream<String> run() {
            return Stream.of();
        }
    }

    static class NoCapacity {
        @WithLock(name = "a", kind = LockKind.SEMAPHORE)
        public void run() {}
    }

    static class Unlike {
        @WithLock("a")
        @WithLock(name = "b", onBusy = OnBusy.SKIP)
        public void run() {}
    }

    static class UnknownClient {
        @WithLock(name = "a", client = "elsewhere")
        public void run() {}
    }

    static class LeaseTooShort {
        @WithLock(name = "a", atLeast = "1m", lease = "10s")
        public void run() {}
    }

    interface Face {
        void other();
    }

    static class NotInItsInterface implements Face {
        @WithLock("a")
        public void run() {}

        @Override
        public void other() {}
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(Private.class, "private method"),
                Arguments.of(Static.class, "static method"),
                Arguments.of(Final.class, "final method"),
                Arguments.of(FinalClass.class, "final"),
                Arguments.of(CallsItself.class, "call calls run, which has @WithLock, through 'this'"),
                Arguments.of(CallsItselfWithArguments.class, "through 'this'"),
                Arguments.of(CallsItselfInALambda.class, "a lambda of call calls run"),
                Arguments.of(RefersToItself.class, "through 'this'"),
                Arguments.of(UnknownVariable.class, "#order, but the method has the parameters #id"),
                Arguments.of(NotClosed.class, "not closed"),
                Arguments.of(Hash.class, "{#id}, not #{#id}"),
                Arguments.of(NoName.class, "must not be empty"),
                Arguments.of(NoSpel.class, "no SpEL expression"),
                Arguments.of(NoDuration.class, "waitAtMost = \"soon\" is no duration"),
                Arguments.of(SkippedPrimitive.class, "nothing to return as int"),
                Arguments.of(PlainFuture.class, "return a CompletableFuture"),
                Arguments.of(LazyStream.class, "java.util.stream.Stream"),
                Arguments.of(NoCapacity.class, "needs a capacity"),
                Arguments.of(Unlike.class, "must be the same in all of them"),
                Arguments.of(UnknownClient.class, "client = \"elsewhere\""),
                Arguments.of(LeaseTooShort.class, "which is less"),
                Arguments.of(NotInItsInterface.class, "proxyTargetClass = true"));
    }

    private static <T> void start(Class<T> bean) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Config.class);
            context.registerBean(bean);
            context.refresh();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    @DisplayName("where a method would run without its lock, or its lock can't be what it says")
    void fails(Class<?> bean, String message) {
        assertThatThrownBy(() -> start(bean))
                .satisfiesAnyOf(
                        thrown -> assertThat(thrown).hasMessageContaining(message),
                        thrown -> assertThat(thrown).hasRootCauseMessage(message),
                        thrown -> assertThat(thrown.getCause()).hasMessageContaining(message));
    }

    static class ThroughItsProxy {
        private Supplier<ThroughItsProxy> self = () -> this;
        private ThroughItsProxy other = this;

        @WithLock("a:{#id}")
        public void run(long id, Object with) {}

        public void call(boolean which) {
            self.get().run(1, this);
            other.run(which ? 2 : 3, this);
            (which ? other : self.get()).run(4, which ? this : null);
        }
    }

    static class Base {
        @WithLock("base")
        public void run() {}
    }

    static class Overriding extends Base {
        @Override
        public void run() {
            super.run();
        }
    }

    @Test
    @DisplayName("and does not where calls go through a reference that may be the proxy")
    void doesNotFail() {
        assertThatCode(() -> start(ThroughItsProxy.class)).doesNotThrowAnyException();
        assertThatCode(() -> start(Overriding.class)).doesNotThrowAnyException();
    }
}
