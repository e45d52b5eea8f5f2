package io.holdfast.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Leader;
import io.holdfast.Leadership;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

@DisplayName("A reactive election")
class ReactiveElectionTest extends ReactiveTest {

    private final ReactiveElection first =
            ReactiveElection.of(holdfast.election(name).withValue("first"));
    private final ReactiveElection second =
            ReactiveElection.of(other.election(name).withValue("second"));

    @Test
    @DisplayName("has one leader, and the next one when the body of the first has ended")
    void succeeds() throws Exception {
        Sinks.Empty<Void> end = Sinks.empty();
        List<String> led = new CopyOnWriteArrayList<>();
        Disposable one = first.lead(leadership -> {
                    led.add("first " + leadership.token());
                    return end.asMono();
                })
                .subscribeOn(Schedulers.parallel())
                .subscribe();
        until(() -> led.size() == 1);
        assertThat(second.leader().map(Leader::value).block(SOON)).isEqualTo("first");
        Disposable two = second.lead(leadership -> {
                    led.add("second " + leadership.token());
                    return Mono.never();
                })
                .subscribeOn(Schedulers.parallel())
                .subscribe();
        until(() -> waiters() == 1);
        assertThat(second.tryCampaign(Duration.ZERO).hasElement().block(SOON)).isFalse();
        assertThat(led).hasSize(1);
        end.tryEmitEmpty();
        until(() -> led.size() == 2);
        assertThat(first.leader().map(Leader::value).block(SOON)).isEqualTo("second");
        two.dispose();
        isFree();
        assertThat(first.leader().hasElement().block(SOON)).isFalse();
        assertThat(one.isDisposed()).isTrue();
    }

    @Test
    @DisplayName("tells its followers")
    void follows() throws Exception {
        List<Optional<String>> seen = new CopyOnWriteArrayList<>();
        Disposable following =
                second.leaders().map(leader -> leader.map(Leader::value)).subscribe(seen::add);
        until(() -> seen.equals(List.of(Optional.<String>empty())));
        Leadership leadership = first.campaign().block(SOON);
        until(() -> seen.equals(List.of(Optional.empty(), Optional.of("first"))));
        leadership.close();
        until(() -> seen.size() == 3);
        following.dispose();
        assertThat(seen.get(2)).isEmpty();
        isFree();
    }

    @Test
    @DisplayName("cancels the body of a leader that is one no more")
    void loses() throws Exception {
        Sinks.One<Throwable> told = Sinks.one();
        first.lead(leadership -> Flux.never()).subscribe(value -> {}, told::tryEmitValue);
        until(() -> holders() == 1);
        holdfast.close();
        assertThat(told.asMono().block(SOON)).isInstanceOf(LeaseLostException.class);
    }
}
