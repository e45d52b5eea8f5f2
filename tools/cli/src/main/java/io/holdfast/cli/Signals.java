package io.holdfast.cli;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;

/**
 * The signals that ask a process to end. Java has no way to know which one it was but {@code sun.misc.Signal}, which is used
 * by reflection because the compiler's warning about it can't be turned off.
 */
final class Signals {

    private static final List<String> ENDING = List.of("INT", "TERM", "HUP");

    private Signals() {}

    /** From now on they don't end this process, but are passed on. One that is ignored (nohup) stays ignored. */
    static void passTo(Queue<? super Notice.Signalled> queue) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Constructor<?> named = signal.getConstructor(String.class);
            Method number = signal.getMethod("getNumber");
            Method handle = signal.getMethod("handle", signal, handler);
            for (String name : ENDING) {
                Object caught = Proxy.newProxyInstance(
                        handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, args) -> {
                            queue.add(new Notice.Signalled(name, (int) number.invoke(args[0])));
                            return null;
                        });
                handle(handle, named, name, caught);
            }
        } catch (ReflectiveOperationException e) {
            throw new CliException(
                    Exit.INTERNAL, "this Java can't handle signals; use a JDK with the module jdk.unsupported", e);
        }
    }

    private static void handle(Method handle, Constructor<?> named, String name, Object handler)
            throws ReflectiveOperationException {
        try {
            handle.invoke(null, named.newInstance(name), handler);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof IllegalArgumentException)) {
                throw e;
            } // otherwise this system does not have it
        }
    }
}
