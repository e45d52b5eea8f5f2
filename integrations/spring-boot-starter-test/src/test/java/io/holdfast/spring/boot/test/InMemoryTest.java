package io.holdfast.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Guarantee;
import io.holdfast.Holdfast;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(classes = HoldfastTestSliceTest.Application.class, properties = "holdfast.uri=redis://127.0.0.1:1")
@AutoConfigureInMemoryHoldfast
@DisplayName("A test of the whole application, with locks in memory")
class InMemoryTest {

    @Autowired
    private Holdfast holdfast;

    @Autowired
    private Other other;

    @Test
    @DisplayName("replaces the store that the application names")
    void replaced() {
        assertThat(holdfast.guarantee()).isEqualTo(Guarantee.LOCAL);
        assertThat(other).isNotNull();
    }
}
