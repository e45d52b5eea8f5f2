package io.holdfast.cli;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The signals that this process is sent. Java has no way to know which one it was but {@code sun.misc.Signal}, which is used
 * by reflection because the compiler's warning about it can't be turned off.
 */
final class Signals {

    /** What asks a process to end. */
    private static final List<String> ENDING = List.of("INT", "TERM", "HUP");

    /**
     * What else would end this process, and is meant for its command; and two that would not. The signals of job control (TSTP,
     * TTIN, TTOU) are left as they are: a terminal that stops the command is to stop this process as well.
     */
    private static final List<String> OTHERS =
            List.of("USR1", "USR2", "ALRM", "VTALRM", "PROF", "IO", "PWR", "STKFLT", "XCPU", "CONT", "WINCH");

    private static final List<String> HARMLESS = List.of("CONT", "WINCH");

    private Signals() {}

    /** Whether it asks a process to end. */
    static boolean isEnding(String name) {
        return ENDING.contains(name);
    }

    /** Whether a process goes on that does nothing about it. */
    static boolean isHarmless(String name) {
        return HARMLESS.contains(name);
    }

    /** From now on signals that would end this process are queued there instead. One that is ignored (nohup) stays so. */
    static void putEnding(Queue<? super Notice.Signalled> queue) {
        put(ENDING, queue);
    }

    /** The same for all that can be had. */
    static void putAll(Queue<? super Notice.Signalled> queue) {
        List<String> all = new ArrayList<>(ENDING);
        all.addAll(OTHERS);
        put(all, queue);
    }

    private static void put(List<String> names, Queue<? super Notice.Signalled> queue) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Constructor<?> named = signal.getConstructor(String.class);
            Method number = signal.getMethod("getNumber");
            Method handle = signal.getMethod("handle", signal, handler);
            for (String name : names) {
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
            } // otherwise this system does not have it, or Java needs it
        }
    }
}
