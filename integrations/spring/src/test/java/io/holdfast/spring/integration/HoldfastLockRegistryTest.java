package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

// What is taken and given back, and when, is what is tested.
@SuppressWarnings("LockNotBeforeTry")
@DisplayName("The lock registry")
class HoldfastLockRegistryTest {

    private final String uri = "memory:" + UUID.randomUUID();
    private Holdfast holdfast;
    private Holdfast other;
    private HoldfastLockRegistry registry;

    @BeforeEach
    void connect() {
        holdfast = Holdfast.connect(uri);
        other = Holdfast.connect(uri);
        registry = new HoldfastLockRegistry(holdfast, "app:");
    }

    @AfterEach
    void close() {
        holdfast.close();
        other.close();
    }

    private static <T> T inAnotherThread(Callable<T> call) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.start();
        return result.get(60, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("gives the same object for the same key, and locks the key with its prefix")
    void sameObject() {
        Lock lock = registry.obtain("a");
        assertThat(registry.obtain("a")).isSameAs(lock);
        assertThat(registry.obtain(new Object() {
                    @Override
                    public String toString() {
                        return "a";
                    }
                }))
                .isSameAs(lock);
        assertThat(registry.obtain("b")).isNotSameAs(lock);
        lock.lock();
        assertThat(other.inspect("app:a").isLocked()).isTrue();
        lock.unlock();
        assertThat(other.inspect("app:a").isLocked()).isFalse();
    }

    @Test
    @DisplayName("keeps a lock that is held although the application has dropped it, and forgets it when it is free")
    void keepsHeld() throws Exception {
        registry.obtain("a").lock();
        for (int i = 0; i < 3; i++) {
            System.gc();
            registry.expireUnusedOlderThan(0);
        }
        assertThat(registry.size()).isEqualTo(1);
        registry.obtain("a").unlock();
        while (registry.size() > 0) {
            System.gc();
            Thread.sleep(10);
        }
    }

    @Test
    @DisplayName("tells a stranger that it does not hold the lock")
    void stranger() throws Exception {
        Lock lock = registry.obtain("a");
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> registry.renewLock("a")).isInstanceOf(IllegalStateException.class);
        lock.lock();
        assertThatThrownBy(() -> inAnotherThread(() -> {
                    lock.unlock();
                    return null;
                }))
                .hasCauseInstanceOf(IllegalStateException.class);
        lock.unlock();
    }

    @Test
    @DisplayName("tells a loss in unlock, each time that the thread had entered")
    void lossInUnlock() {
        Lock lock = registry.obtain("a");
        lock.lock();
        lock.lock();
        lose();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(other.inspect("app:a").isLocked()).isFalse();
    }

    @Test
    @DisplayName("refuses a thread once that asks again and has lost the lock, and does not give it another")
    void refusesAfterLoss() throws Exception {
        Lock lock = registry.obtain("a");
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        lose();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isFalse();
        assertThat(other.inspect("app:a").isLocked()).isFalse();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(other.inspect("app:a").isLocked()).isTrue();
        lock.unlock();
        assertThat(other.inspect("app:a").isLocked()).isFalse();
        lock.lock();
        lose();
        assertThatThrownBy(lock::lock).isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
    }

    /** Takes the thread's lock away, and has the client hear of it. */
    private void lose() {
        other.forceUnlock("app:a");
        try {
            holdfast.lock("app:a").lease().extend(Duration.ofMinutes(1));
        } catch (io.holdfast.LeaseLostException expected) {
            return;
        }
        throw new AssertionError("the lock was not lost");
    }

    @Test
    @DisplayName("says that the lock can't be acquired if the store fails")
    void storeFailure() {
        Lock lock = registry.obtain("a");
        holdfast.close();
        assertThatThrownBy(lock::lock).isInstanceOf(CannotAcquireLockException.class);
        assertThatThrownBy(lock::tryLock).isInstanceOf(CannotAcquireLockException.class);
    }

    @Test
    @DisplayName("runs what is executed under the lock")
    void executeLocked() throws Throwable {
        assertThat(registry.<Boolean, RuntimeException>executeLocked(
                        "a", () -> other.inspect("app:a").isLocked()))
                .isTrue();
        assertThat(registry.<Boolean, RuntimeException>executeLocked(
                        "a", Duration.ofSeconds(5), () -> other.inspect("app:a").isLocked()))
                .isTrue();
        assertThat(other.inspect("app:a").isLocked()).isFalse();
    }

    @Test
    @DisplayName("has the time to live of Spring Integration 7 where that is there")
    void distributedLock() throws Exception {
        String name = "org.springframework.integration.support.locks.DistributedLock";
        Lock lock = registry.obtain("a");
        if (!ClassUtils.isPresent(name, null)) {
            assertThat(lock.getClass().getSimpleName()).isEqualTo("RegisteredLock");
            return;
        }
        Class<?> type = ClassUtils.forName(name, null);
        assertThat(lock).isInstanceOf(type);
        ReflectionUtils.invokeMethod(type.getMethod("lock", Duration.class), lock, Duration.ofMinutes(2));
        assertThat(other.lock("app:a").remainTimeToLive()).isBetween(60_000L, 120_000L);
        registry.renewLock("a", Duration.ofMinutes(5));
        assertThat(other.lock("app:a").remainTimeToLive()).isBetween(240_000L, 300_000L);
        lock.unlock();
        Object granted = ReflectionUtils.invokeMethod(
                type.getMethod("tryLock", Duration.class, Duration.class), lock, Duration.ZERO, Duration.ofMinutes(2));
        assertThat(granted).isEqualTo(true);
        lock.unlock();
    }

    @Test
    @DisplayName("refuses keys and arguments that can't be")
    void badArguments() {
        assertThatThrownBy(() -> registry.obtain(null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> registry.obtain("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HoldfastLockRegistry(holdfast, null)).isInstanceOf(NullPointerException.class);
        assertThat(new HoldfastLockRegistry(holdfast, "", LockOptions.defaults().fair()).obtain("x"))
                .isNotNull();
    }
}
