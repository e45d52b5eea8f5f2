package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * The method runs while it holds a distributed lock.
 *
 * <pre>{@code
 * @WithLock("order:{#id}")
 * @Transactional
 * public void ship(long id) { … }
 * }</pre>
 *
 * <p><b>Where.</b> On public, protected and package-private methods of Spring beans, on classes (each public method that has no
 * {@code WithLock} of its own), and on annotations that are composed with it. Several on one method are one multi-lock: all of them or
 * none. It needs {@link EnableHoldfastLocks}. The lock is taken by a proxy; methods that a proxy can't intercept (private,
 * static, final) and calls of an annotated method through {@code this} fail the start of the application.
 *
 * <p><b>Order.</b> The lock is taken before a transaction of the same method begins, and given back after that has completed.
 * Each attempt of a {@code @Retryable} method takes the lock anew if the retry has a lesser order, and an {@code @Async} method holds it in the thread
 * that runs it. {@link InTransaction} is for calls from inside a transaction.
 *
 * <p><b>Result types.</b> A method that returns a {@code CompletionStage} holds the lock until the stage has completed, one that
 * returns a {@code Mono}, a {@code Flux} or another reactive type from the subscription until it has ended or was cancelled. Every
 * other method holds it until it returns; a {@code Future} that is no {@code CompletionStage}, and a {@code Stream}, are refused.
 *
 * <p><b>Re-entry.</b> A method that returns a plain value owns the lock by its thread, and may call other such methods with the same lock. The
 * lock of a stage, of a reactive type and of a job with {@link #atLeast()} belongs to that one call; asking for it
 * again inside would wait for itself, and is an {@link IllegalStateException}.
 *
 * <p><b>Loss.</b> See {@link #onLost()}. A transaction that begins under the lock commits only if the lease is still valid right before
 * that, and rolls back otherwise. What the body throws is always what the caller gets.
 */
@Documented
@Inherited
@Repeatable(WithLocks.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface WithLock {

    /** {@link #name()}. */
    @AliasFor("name")
    String value() default "";

    /**
     * The name of the lock: text with SpEL expressions in braces, {@code "order:{#id}"} or {@code "report"}. An expression sees the
     * parameters by name ({@code #id}, if the class is compiled with {@code -parameters}) and by position ({@code #p0}), the beans of
     * the context ({@code @tenants.current()}), and as {@code #root} the {@code method}, {@code target}, {@code targetClass} and
     * {@code args}. It is evaluated once, before the body. {@code null} and an empty text are an {@link IllegalArgumentException},
     * since different calls would share a lock by mistake. Two braces stand for one that is meant literally. Placeholders
     * ({@code ${spring.application.name}}) are resolved at the start.
     */
    @AliasFor("value")
    String name() default "";

    /**
     * How long to wait at most: {@code "5s"}, {@code "PT5S"}, a placeholder. By default for as long as it takes with {@link OnBusy#WAIT}, and
     * not at all otherwise.
     */
    String waitAtMost() default "";

    /**
     * A lease time: the lock ends by itself after it, and is not renewed. By default the watchdog keeps the lock for as long as the body runs
     * and the process lives.
     */
    String lease() default "";

    LockKind kind() default LockKind.PLAIN;

    /** How many permits a {@link LockKind#SEMAPHORE} has altogether; needed there, and only there. */
    int capacity() default 0;

    /** How many permits of a {@link LockKind#SEMAPHORE} one call takes. */
    int permits() default 1;

    OnBusy onBusy() default OnBusy.AUTO;

    /**
     * The lock is held for at least this long, also when the body ends earlier: so a short job does not run again in a process whose
     * clock is late. The call returns when the body ends. Also when the process ends in order before that time is over, the
     * lock stays.
     */
    String atLeast() default "";

    OnLost onLost() default OnLost.THROW;

    /** The bean name of the {@link io.holdfast.Holdfast} to use where the context has several. */
    String client() default "";
}
