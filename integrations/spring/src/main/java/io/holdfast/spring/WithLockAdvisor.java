package io.holdfast.spring;

import java.lang.reflect.Method;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/** Brings {@link WithLockInterceptor} to the methods that have {@link WithLock}. */
final class WithLockAdvisor extends AbstractPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final transient WithLockInterceptor advice;
    private final transient LockedMethods pointcut = new LockedMethods();

    WithLockAdvisor(WithLockInterceptor advice, int order) {
        this.advice = advice;
        setOrder(order);
    }

    @Override
    public WithLockInterceptor getAdvice() {
        return advice;
    }

    @Override
    public LockedMethods getPointcut() {
        return pointcut;
    }

    private static final class LockedMethods extends StaticMethodMatcherPointcut {

        LockedMethods() {
            setClassFilter(type -> AnnotationUtils.isCandidateClass(type, WithLock.class));
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return Definitions.isLocked(method, targetClass);
        }
    }
}
