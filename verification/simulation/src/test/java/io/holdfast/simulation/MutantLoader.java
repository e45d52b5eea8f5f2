package io.holdfast.simulation;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.LongFunction;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;

/** Loads the engine and the simulation a second time, beside the right ones, with the mutant's mistakes in them. */
final class MutantLoader extends ClassLoader {

    private final List<Mutant.Change> changes;

    MutantLoader(List<Mutant.Change> changes) {
        super(MutantLoader.class.getClassLoader());
        this.changes = changes;
    }

    /** What {@link Simulation#verdict} says of a seed, when the engine is the mutant. */
    @SuppressWarnings("unchecked")
    LongFunction<String> simulation() throws ReflectiveOperationException {
        return (LongFunction<String>)
                loadClass(Simulation.class.getName()).getMethod("verdicts").invoke(null);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        // The log is where SLF4J found it, and is shared.
        if (!name.startsWith("io.holdfast.") || name.startsWith("io.holdfast.simulation.log.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream original = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (original == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = original.readAllBytes();
            for (Mutant.Change change : changes) {
                if (name.equals(className(change.type()))) {
                    code = mutated(name, code, change);
                }
            }
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class of that short name: one of the SPI, or of an internal package. */
    private static String className(String type) {
        return (type.startsWith("spi.") ? "io.holdfast." : "io.holdfast.internal.") + type;
    }

    /** @throws IllegalArgumentException if the class or the method is gone */
    static void requireMethod(String type, String method) {
        String name = className(type);
        ClassFileLocator locator = ClassFileLocator.ForClassLoader.of(MutantLoader.class.getClassLoader());
        TypePool.Resolution resolution = TypePool.Default.of(locator).describe(name);
        if (!resolution.isResolved()) {
            throw new IllegalArgumentException("a mutant changes " + name + ", and there is no such class any more");
        }
        if (resolution.resolve().getDeclaredMethods().filter(matcher(method)).isEmpty()) {
            throw new IllegalArgumentException(
                    "a mutant changes " + name + "." + method + ", and there is no such method any more");
        }
    }

    private byte[] mutated(String name, byte[] code, Mutant.Change change) {
        ClassFileLocator locator = new ClassFileLocator.Compound(
                ClassFileLocator.Simple.of(name, code), ClassFileLocator.ForClassLoader.of(getParent()));
        var type = TypePool.Default.of(locator).describe(name).resolve();
        var method = matcher(change.method());
        return new ByteBuddy()
                .redefine(type, locator)
                .visit(Advice.to(change.mistake(), locator).on(method))
                .make()
                .getBytes();
    }

    private static ElementMatcher.Junction<MethodDescription> matcher(String method) {
        if (method.equals("<init>")) {
            return isConstructor();
        }
        int slash = method.indexOf('/');
        return slash < 0
                ? named(method)
                : ElementMatchers.<MethodDescription>named(method.substring(0, slash))
                        .and(takesArguments(Integer.parseInt(method.substring(slash + 1))));
    }
}
