package io.holdfast.quorum;

import io.holdfast.spi.LockStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One command to several nodes at once, and what they said. It is over when enough have answered, or all have or won't;
 * what comes later is not counted any more, but is not forgotten either.
 */
final class Round<T> {

    private final List<Node> nodes;
    private final Map<Node, Node.Call<T>> calls = new LinkedHashMap<>();
    private final Map<Node, T> answers = new LinkedHashMap<>();
    private final Map<Node, Throwable> failures = new LinkedHashMap<>();
    private final Predicate<Round<T>> enough;
    private final CompletableFuture<Round<T>> over = new CompletableFuture<>();
    private boolean sent;
    private boolean decided;

    private Round(List<Node> nodes, Predicate<Round<T>> enough) {
        this.nodes = nodes;
        this.enough = enough;
    }

    /** @param enough whether what is known decides the matter; it may look at answers, failures and what is pending */
    static <T> CompletableFuture<Round<T>> ask(
            List<Node> nodes, BiFunction<Node, LockStore, CompletionStage<T>> command, Predicate<Round<T>> enough) {
        Round<T> round = new Round<>(nodes, enough);
        List<Node.Call<T>> calls = new ArrayList<>();
        for (Node node : nodes) {
            Node.Call<T> call = node.ask(store -> command.apply(node, store));
            round.calls.put(node, call);
            calls.add(call);
        }
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            calls.get(i).timely().whenComplete((value, failure) -> round.heard(node, value, failure));
        }
        round.allSent();
        return round.over;
    }

    private void heard(Node node, T value, Throwable failure) {
        synchronized (this) {
            if (decided) {
                return;
            }
            if (failure == null) {
                answers.put(node, value);
            } else {
                failures.put(node, failure);
            }
        }
        decide();
    }

    private void allSent() {
        synchronized (this) {
            sent = true;
        }
        decide();
    }

    private void decide() {
        synchronized (this) {
            if (decided || !sent || !(pending() == 0 || enough.test(this))) {
                return;
            }
            decided = true;
        }
        over.complete(this);
    }

    Map<Node, T> answers() {
        return answers;
    }

    Map<Node, Throwable> failures() {
        return failures;
    }

    boolean hasHeard(Node node) {
        return answers.containsKey(node) || failures.containsKey(node);
    }

    int pending() {
        return nodes.size() - answers.size() - failures.size();
    }

    long count(Predicate<T> which) {
        return answers.values().stream().filter(which).count();
    }

    /** The nodes whose answer is unknown: it failed, or has not come. Whether they ran the command is unknown, too. */
    List<Node> unknown() {
        return nodes.stream().filter(node -> !answers.containsKey(node)).toList();
    }

    /** Hears the answers that come after the round is over. */
    void later(BiConsumer<Node, T> late) {
        calls.forEach((node, call) -> {
            if (!answers.containsKey(node)) {
                call.answer().thenAccept(answer -> late.accept(node, answer));
            }
        });
    }

    /** Hears of each node that failed, also after the round is over. */
    void missed(Consumer<Node> missing) {
        calls.forEach((node, call) -> {
            if (!answers.containsKey(node)) {
                call.timely().whenComplete((answer, failure) -> {
                    if (failure != null) {
                        missing.accept(node);
                    }
                });
            }
        });
    }
}
