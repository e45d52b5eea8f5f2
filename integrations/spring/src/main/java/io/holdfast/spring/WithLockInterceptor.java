package io.holdfast.spring;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/** Runs the methods that have {@link WithLock} under their locks. */
final class WithLockInterceptor implements MethodInterceptor {

    private final Definitions definitions;
    private final LockClients clients;
    private final BeanFactoryResolver beans;
    private final ParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();

    WithLockInterceptor(Definitions definitions, LockClients clients, BeanFactory beans) {
        this.definitions = definitions;
        this.clients = clients;
        this.beans = new BeanFactoryResolver(beans);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis());
        Class<?> targetClass = AopUtils.getTargetClass(target);
        LockDefinition definition = definitions.find(invocation.getMethod(), targetClass);
        if (definition == null) {
            return invocation.proceed();
        }
        List<LockTarget> targets = targets(definition, invocation, target, targetClass);
        LockSettings settings = definition.settings();
        Class<?> type = definition.method().getReturnType();
        return switch (definition.result()) {
            case VALUE ->
                LockedCall.run(
                        targets,
                        settings,
                        lease -> ResultType.checkValue(invocation.proceed(), definition.method()),
                        () -> ResultType.skipped(type));
            case STAGE -> {
                MethodInvocation later = copy(invocation);
                LockedAction<CompletionStage<@Nullable Object>, Throwable> call = lease -> stage(later);
                yield StageCall.run(
                        targets,
                        settings,
                        call,
                        () -> ResultType.skippedInStage(definition.method().getGenericReturnType()));
            }
            case REACTIVE -> {
                MethodInvocation pattern = copy(invocation);
                yield ReactiveCall.run(
                        targets,
                        settings,
                        Objects.requireNonNull(ResultType.adapter(type)),
                        () -> proceed(copy(pattern)));
            }
        };
    }

    private List<LockTarget> targets(
            LockDefinition definition, MethodInvocation invocation, Object target, Class<?> targetClass) {
        LockRoot root = new LockRoot(
                definition.method(),
                target,
                targetClass,
                Arrays.asList(invocation.getArguments().clone()));
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(root, definition.method(), invocation.getArguments(), parameterNames);
        context.setBeanResolver(beans);
        return definition.targets(context, clients::client);
    }

    @SuppressWarnings("unchecked")
    private static @Nullable CompletionStage<@Nullable Object> stage(MethodInvocation invocation) throws Throwable {
        return (CompletionStage<@Nullable Object>) invocation.proceed();
    }

    /** The rest of the call, to be made in another thread or again. */
    private static MethodInvocation copy(MethodInvocation invocation) {
        return ((ProxyMethodInvocation) invocation).invocableClone();
    }

    private static @Nullable Object proceed(MethodInvocation invocation) {
        try {
            return invocation.proceed();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw reactor.core.Exceptions.propagate(e);
        }
    }
}
