package io.holdfast.internal.engine;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a client before and after this process is copied by a checkpoint, where a runtime does that (CRaC, SnapStart). Its
 * API is found at run time: {@code org.crac} on the class path, or {@code jdk.crac} in the JDK.
 */
final class CheckpointHook implements InvocationHandler {

    private static final Logger log = LoggerFactory.getLogger(CheckpointHook.class);

    private static final List<String> APIS = List.of("org.crac", "jdk.crac");

    private final Runnable before;
    private final Runnable after;

    private CheckpointHook(Runnable before, Runnable after) {
        this.before = before;
        this.after = after;
    }

    /**
     * Registers the actions.
     *
     * @param before prevents the checkpoint by throwing something
     * @param after runs in each copy, and after a checkpoint that failed; perhaps more than once
     * @return what the caller keeps for as long as it wants to be told, since the runtime refers to it weakly; {@code null}
     *     where there is no such runtime
     */
    static @Nullable Object register(Runnable before, Runnable after) {
        ClassLoader loader = CheckpointHook.class.getClassLoader();
        for (String api : APIS) {
            try {
                Class<?> type = Class.forName(api + ".Resource", true, loader);
                Object context = Class.forName(api + ".Core", true, loader)
                        .getMethod("getGlobalContext")
                        .invoke(null);
                Object resource =
                        Proxy.newProxyInstance(loader, new Class<?>[] {type}, new CheckpointHook(before, after));
                Class.forName(api + ".Context", true, loader)
                        .getMethod("register", type)
                        .invoke(context, resource);
                return resource;
            } catch (ClassNotFoundException e) {
                log.trace("no {}", api);
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                log.warn("{} is there but can't be used: locks are not given back before a checkpoint", api, e);
            }
        }
        return null;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
        switch (method.getName()) {
            case "beforeCheckpoint" -> before.run();
            case "afterRestore" -> after.run();
            case "equals" -> {
                return arguments != null && proxy == arguments[0];
            }
            case "hashCode" -> {
                return System.identityHashCode(proxy);
            }
            default -> {
                return "Holdfast";
            }
        }
        return null;
    }
}
