package io.holdfast.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Guarantee;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.spring.LockBusyException;
import io.holdfast.spring.LockTemplate;
import io.holdfast.spring.OnBusy;
import io.holdfast.spring.WithLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;

@HoldfastTest(properties = "holdfast.client-name=slice")
@Import(HoldfastTestSliceTest.Orders.class)
@DisplayName("The slice")
class HoldfastTestSliceTest {

    @Autowired
    private Holdfast holdfast;

    @Autowired
    private Orders orders;

    @Autowired
    private LockTemplate locks;

    @Autowired
    private ApplicationContext context;

    @Test
    @DisplayName("has locks in memory, the annotation and the template")
    void locks() throws InterruptedException {
        assertThat(holdfast.guarantee()).isEqualTo(Guarantee.LOCAL);
        assertThat(orders.ship(1)).isPositive();
        try (Lease lease = holdfast.lock("order:2").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(holdfast.inspect("order:2").holders().get(0).client()).isEqualTo("slice");
            assertThatThrownBy(() -> orders.ship(2)).isInstanceOf(LockBusyException.class);
        }
        assertThat(locks.<Boolean, RuntimeException>execute("order:3", Lease::isValid))
                .isTrue();
    }

    @Test
    @DisplayName("has no other component of the application than those that the test imports")
    void nothingElse() {
        assertThat(context.getBeanNamesForType(Other.class)).isEmpty();
    }

    @Component
    static class Orders {

        @WithLock(name = "order:{#p0}", onBusy = OnBusy.THROW)
        public long ship(int id) {
            return LockTemplate.currentLease().map(Lease::token).orElseThrow();
        }
    }

    @SpringBootApplication
    static class Application {}
}
