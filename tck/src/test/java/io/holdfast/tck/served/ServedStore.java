package io.holdfast.tck.served;

import io.holdfast.Guarantee;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A store that a {@link StoreServer} in another process keeps. */
final class ServedStore implements QueueingStore, SemaphoreStore, LatchStore {

    private final Socket socket;
    private final DataOutputStream out;
    private final AtomicInteger requests = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Object>> answers = new ConcurrentHashMap<>();
    private final Map<Integer, Consumer<String>> watches = new ConcurrentHashMap<>();

    ServedStore(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            StoreServer.daemon("served-store", () -> hear(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void hear(DataInputStream in) {
        try {
            while (true) {
                int number = in.readInt();
                boolean good = in.readBoolean();
                Object value = Wire.read(in);
                Consumer<String> watch = watches.get(number);
                CompletableFuture<Object> answer = answers.remove(number);
                if (watch != null) {
                    watch.accept((String) value);
                } else if (good && answer != null) {
                    answer.complete(value);
                } else if (!good) {
                    StoreRefusedException refusal = new StoreRefusedException((String) value, in.readBoolean());
                    if (answer != null) {
                        answer.completeExceptionally(refusal);
                    }
                }
            }
        } catch (IOException e) {
            answers.values()
                    .forEach(answer ->
                            answer.completeExceptionally(new StoreUnavailableException("the server is gone")));
        }
    }

    @SuppressWarnings("unchecked") // the server calls the same method
    private <T> CompletionStage<T> ask(String method, Object... arguments) {
        int number = requests.incrementAndGet();
        CompletableFuture<Object> answer = new CompletableFuture<>();
        answers.put(number, answer);
        send(number, method, arguments);
        return (CompletionStage<T>) answer;
    }

    private Subscription watch(Consumer<String> told, String method, Object... arguments) {
        int number = requests.incrementAndGet();
        watches.put(number, told);
        send(number, method, arguments);
        return () -> {
            if (watches.remove(number) != null) {
                send(requests.incrementAndGet(), "unwatch", number);
            }
        };
    }

    private void send(int number, String method, Object... arguments) {
        synchronized (out) {
            try {
                out.writeInt(number);
                out.writeUTF(method);
                Wire.write(out, List.of(arguments));
                out.flush();
            } catch (IOException e) {
                CompletableFuture<Object> answer = answers.remove(number);
                if (answer != null) {
                    answer.completeExceptionally(new StoreUnavailableException("the server is gone", e));
                }
            }
        }
    }

    @Override
    public String description() {
        return "served:" + socket.getPort();
    }

    @Override
    public StoreTraits traits() {
        return new StoreTraits(Guarantee.LOCAL, true);
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return ask("claim", claim);
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        return ask("renew", claims);
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        return ask("release", claim);
    }

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        return watch(unused -> changed.run(), "watch", resource);
    }

    @Override
    public Subscription subscribe(String client, ClaimListener listener) {
        return watch(message -> notify(listener, message), "subscribe", client);
    }

    /** A letter for each method of the listener, and the claim's id. */
    private static void notify(ClaimListener listener, String message) {
        String id = message.substring(1);
        switch (message.charAt(0)) {
            case 'T' -> listener.turnReached(id);
            case 'R' -> listener.revocationRequested(id);
            default -> listener.resync();
        }
    }

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        return ask("inspect", resource);
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType kind, String prefix, int limit) {
        return ask("list", kind, prefix, limit);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        return ask("forceRelease", resource, token);
    }

    @Override
    public CompletionStage<Void> raiseTokens(long above) {
        return ask("raiseTokens", above);
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        return ask("addPermits", name, id, by, capacity);
    }

    @Override
    public CompletionStage<LatchState> set(String name, String id, long count) {
        return ask("set", name, id, count);
    }

    @Override
    public CompletionStage<LatchState> countDown(String name, String id) {
        return ask("countDown", name, id);
    }

    @Override
    public CompletionStage<LatchState> look(String name) {
        return ask("look", name);
    }

    @Override
    public CompletionStage<Boolean> delete(String name, String id) {
        return ask("delete", name, id);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
