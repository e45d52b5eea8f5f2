package io.holdfast.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Fails the start of an application in which a method with {@link WithLock} would run without its lock. A class is checked when the first bean of it
 * is made; the chain of interceptors of a singleton is checked when all of them have been made.
 */
final class WithLockVerifier implements BeanPostProcessor, SmartInitializingSingleton, PriorityOrdered {

    private final ConfigurableListableBeanFactory beans;
    private final Map<String, Class<?>> locked = new LinkedHashMap<>();
    private final Map<Class<?>, Boolean> checked = new ConcurrentHashMap<>();

    WithLockVerifier(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        Class<?> type = ClassUtils.getUserClass(bean);
        Boolean takesLocks = checked.get(type);
        if (takesLocks == null) {
            // Not inside the map: a check may make the bean with the defaults, which comes here as well.
            takesLocks = checkClass(type);
            checked.put(type, takesLocks);
        }
        if (takesLocks) {
            synchronized (locked) {
                locked.put(name, type);
            }
        }
        return bean;
    }

    // ---- the class --------------------------------------------------------------------------------------------

    /** Whether it has methods with locks. */
    private boolean checkClass(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, WithLock.class) || AopUtils.isAopProxy(type)) {
            return false;
        }
        boolean any = false;
        for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
            if (method.getDeclaringClass() != Object.class
                    && !method.isSynthetic()
                    && Definitions.isLocked(method, type)) {
                any = true;
                checkMethod(method);
                definitions().find(method, type);
            }
        }
        if (any) {
            SelfInvocations.check(type);
        }
        return any;
    }

    private static void checkMethod(Method method) {
        int modifiers = method.getModifiers();
        String kind = Modifier.isPrivate(modifiers)
                ? "private"
                : Modifier.isStatic(modifiers) ? "static" : Modifier.isFinal(modifiers) ? "final" : "";
        if (!kind.isEmpty()) {
            throw new IllegalStateException(
                    "@WithLock on " + Definitions.label(method) + ": a proxy can't intercept a " + kind
                            + " method, so it would run without its lock; make it an instance method that is neither private nor final, or"
                            + " use LockTemplate");
        }
    }

    private Definitions definitions() {
        return beans.getBean(Definitions.class);
    }

    // ---- the proxy --------------------------------------------------------------------------------------------

    @Override
    public void afterSingletonsInstantiated() {
        Map<String, Class<?>> all;
        synchronized (locked) {
            all = new LinkedHashMap<>(locked);
        }
        LockClients clients = new LockClients(beans);
        all.forEach((name, type) -> {
            Object bean = beans.getSingleton(name);
            if (bean != null) {
                checkProxy(name, bean, type, clients);
            }
        });
    }

    private void checkProxy(String name, Object bean, Class<?> type, LockClients clients) {
        if (!(bean instanceof Advised advised)) {
            throw new IllegalStateException(
                    "bean '" + name + "' of " + type.getName()
                            + " has methods with @WithLock, but no proxy: they would run without their locks. "
                            + (Modifier.isFinal(type.getModifiers())
                                    ? "Its class is final; make it open, or declare the methods in an interface."
                                    : "Was it made before the proxies were set up, as a BeanPostProcessor is, or what one depends on?"));
        }
        int lock = indexOf(advised, WithLockInterceptor.class.getName());
        if (lock < 0) {
            throw new IllegalStateException(
                    "bean '" + name + "' of " + type.getName()
                            + " has methods with @WithLock, but its proxy does not take locks; is it a proxy of another context?");
        }
        int transaction = indexOf(advised, "org.springframework.transaction.interceptor.TransactionInterceptor");
        if (transaction >= 0 && transaction < lock) {
            throw new IllegalStateException("bean '" + name + "' of " + type.getName()
                    + ": its transactions would begin before its locks are taken, and commit after they are given back or not at all;"
                    + " give @EnableTransactionManagement a greater order than @EnableHoldfastLocks, as by default");
        }
        for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
            LockDefinition definition =
                    method.isSynthetic() ? null : definitions().find(method, type);
            if (definition != null) {
                checkReachable(bean, method, type);
                definition.entries().forEach(entry -> clients.client(entry.client()));
            }
        }
    }

    /** A proxy of interfaces passes on the methods of those only. */
    private static void checkReachable(Object bean, Method method, Class<?> type) {
        if (AopUtils.isJdkDynamicProxy(bean)) {
            boolean declared = List.of(bean.getClass().getInterfaces()).stream()
                    .anyMatch(face -> ClassUtils.hasMethod(face, method.getName(), method.getParameterTypes()));
            if (!declared
                    && Modifier.isPublic(method.getModifiers())
                    && AnnotationUtils.findAnnotation(method, WithLock.class) != null) {
                throw new IllegalStateException(
                        "@WithLock on " + Definitions.label(method) + ": the proxy of " + type.getName()
                                + " implements its interfaces, and none of them has this method; declare it there, or set proxyTargetClass = true");
            }
        }
    }

    private static int indexOf(Advised advised, String advice) {
        Advisor[] advisors = advised.getAdvisors();
        for (int i = 0; i < advisors.length; i++) {
            if (advisors[i].getAdvice().getClass().getName().equals(advice)) {
                return i;
            }
        }
        return -1;
    }
}
