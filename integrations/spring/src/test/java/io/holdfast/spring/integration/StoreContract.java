package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.IntegrationMessageHeaderAccessor;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.DefaultAggregatingMessageGroupProcessor;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;

/** What Spring Integration does with a lock registry, on a store. */
abstract class StoreContract {

    private static final Duration LEASE = Duration.ofSeconds(3);

    private final String prefix = UUID.randomUUID() + ":";
    private Holdfast first;
    private Holdfast second;
    private HoldfastLockRegistry registry;

    /** Where the store is. */
    abstract String uri();

    @BeforeEach
    void connect() {
        first = Holdfast.builder().uri(uri()).lease(LEASE).build();
        second = Holdfast.builder().uri(uri()).lease(LEASE).build();
        registry = new HoldfastLockRegistry(first, prefix);
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    private static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("in time: " + what).isNegative();
            Thread.sleep(5);
        }
    }

    @Test
    @DisplayName("locks exclude over two registries, and a loss is told")
    void excludes() throws Exception {
        HoldfastLockRegistry other = new HoldfastLockRegistry(second, prefix);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> all = IntStream.range(0, 4)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> {
                        for (int j = 0; j < 10; j++) {
                            (i % 2 == 0 ? registry : other).<RuntimeException>executeLocked("shared", () -> {
                                assertThat(inside.incrementAndGet()).isEqualTo(1);
                                runs.incrementAndGet();
                                inside.decrementAndGet();
                            });
                        }
                        return null;
                    }))
                    .toList();
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(runs).hasValue(40);

        Lock lock = registry.obtain("lost");
        assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
        second.forceUnlock(prefix + "lost");
        until("the loss is known", () -> !first.lock(prefix + "lost").isHeldByCurrentThread());
        assertThat(lock.tryLock()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
    }

    /** Counts the leaders, and the grants without the lock in the thread that is told. */
    private static final class Candidate extends DefaultCandidate {

        private final DistributedLock lock;
        private final AtomicInteger leaders;
        private final AtomicInteger grants = new AtomicInteger();
        private final AtomicInteger withoutLock = new AtomicInteger();
        private volatile boolean leading;

        Candidate(String role, DistributedLock lock, AtomicInteger leaders) {
            super(UUID.randomUUID().toString(), role);
            this.lock = lock;
            this.leaders = leaders;
        }

        @Override
        public void onGranted(Context context) {
            if (!lock.isHeldByCurrentThread()) {
                withoutLock.incrementAndGet();
            }
            leaders.incrementAndGet();
            leading = true;
            grants.incrementAndGet();
        }

        @Override
        public void onRevoked(Context context) {
            leading = false;
            leaders.decrementAndGet();
        }
    }

    private static LockRegistryLeaderInitiator initiator(HoldfastLockRegistry registry, Candidate candidate) {
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry, candidate);
        initiator.setHeartBeatMillis(20);
        initiator.setBusyWaitMillis(20);
        return initiator;
    }

    @Test
    @DisplayName("a leader that loses its lock is revoked, may lead again, and hands over when it stops")
    void leader() throws Exception {
        AtomicInteger leaders = new AtomicInteger();
        Candidate one = new Candidate("role", first.lock(prefix + "role"), leaders);
        Candidate two = new Candidate("role", second.lock(prefix + "role"), leaders);
        LockRegistryLeaderInitiator ofOne = initiator(registry, one);
        LockRegistryLeaderInitiator ofTwo = initiator(new HoldfastLockRegistry(second, prefix), two);
        ofOne.start();
        try {
            until("the first leads", () -> one.leading);
            second.forceUnlock(prefix + "role");
            until("the first was revoked and leads again", () -> one.grants.get() == 2 && one.leading);
            assertThat(second.inspect(prefix + "role").isLocked()).isTrue();
            ofTwo.start();
            ofOne.stop();
            until("the second leads", () -> two.leading && !one.leading);
            ofOne.start();
            ofTwo.stop();
            until("the first leads again", () -> one.leading && !two.leading);
        } finally {
            ofOne.destroy();
            ofTwo.destroy();
        }
        until("nothing leads", () -> leaders.get() == 0);
        until("the lock is free", () -> !second.inspect(prefix + "role").isLocked());
        assertThat(one.withoutLock).hasValue(0);
        assertThat(two.withoutLock).hasValue(0);
    }

    @Configuration
    @EnableIntegration
    static class Flow {

        @Bean
        QueueChannel out() {
            return new QueueChannel();
        }

        @Bean
        @ServiceActivator(inputChannel = "aggregated")
        MessageHandler aggregator(HoldfastLockRegistry registry) {
            AggregatingMessageHandler aggregator = new AggregatingMessageHandler(
                    new DefaultAggregatingMessageGroupProcessor(), new SimpleMessageStore());
            aggregator.setLockRegistry(registry);
            aggregator.setOutputChannelName("out");
            return aggregator;
        }

        @Bean
        LockRequestHandlerAdvice lockAdvice(HoldfastLockRegistry registry) {
            return new LockRequestHandlerAdvice(registry, "request");
        }

        @ServiceActivator(inputChannel = "advised", outputChannel = "out", adviceChain = "lockAdvice")
        public String advised(Message<String> message) {
            return message.getPayload() + "!";
        }
    }

    @Test
    @DisplayName("an aggregator and an advised handler work under its locks")
    void aggregator() throws Exception {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(HoldfastLockRegistry.class, () -> registry);
            context.register(Flow.class);
            context.refresh();
            MessageChannel in = context.getBean("aggregated", MessageChannel.class);
            QueueChannel out = context.getBean("out", QueueChannel.class);
            for (int i = 1; i <= 2; i++) {
                in.send(MessageBuilder.withPayload("part" + i)
                        .setHeader(IntegrationMessageHeaderAccessor.CORRELATION_ID, "order")
                        .setHeader(IntegrationMessageHeaderAccessor.SEQUENCE_NUMBER, i)
                        .setHeader(IntegrationMessageHeaderAccessor.SEQUENCE_SIZE, 2)
                        .build());
            }
            Message<?> whole = out.receive(60_000);
            assertThat(whole).isNotNull();
            assertThat((List<?>) whole.getPayload()).hasSize(2);

            Lock held = new HoldfastLockRegistry(second, prefix).obtain("request");
            held.lock();
            ExecutorService thread = Executors.newSingleThreadExecutor();
            try {
                Future<?> sent = thread.submit(() -> context.getBean("advised", MessageChannel.class)
                        .send(MessageBuilder.withPayload("work").build()));
                assertThat(out.receive(200))
                        .as("nothing while another has the lock")
                        .isNull();
                held.unlock();
                sent.get(60, TimeUnit.SECONDS);
                Message<?> done = out.receive(60_000);
                assertThat(done).isNotNull();
                assertThat(done.getPayload()).isEqualTo("work!");
            } finally {
                thread.shutdownNow();
            }
        }
    }
}
