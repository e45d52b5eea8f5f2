package io.holdfast.tck.served;

import io.holdfast.HoldfastException;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.SemaphoreStore;
import io.holdfast.spi.Subscription;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Serves a store to other processes, a connection and a thread for each. A request is a number, a method and its
 * arguments; what is sent back is that number and an answer, or the number of a watch and what it was told.
 */
final class StoreServer implements Closeable {

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Supplier<LockStore> stores;

    StoreServer(Supplier<LockStore> stores) throws IOException {
        this.stores = stores;
        daemon("store-server", this::accept);
    }

    String uri() {
        return "served:" + socket.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Connection connection = new Connection(socket.accept(), stores.get());
                daemon("store-connection", connection::serve);
            }
        } catch (IOException e) {
            // closed
        }
    }

    static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, "tck-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private record Connection(Socket socket, LockStore store, Map<Integer, Subscription> watches) {

        Connection(Socket socket, LockStore store) {
            this(socket, store, new ConcurrentHashMap<>());
        }

        void serve() {
            try (socket;
                    store;
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
                socket.setTcpNoDelay(true);
                while (true) {
                    int number = in.readInt();
                    String method = in.readUTF();
                    List<?> arguments = (List<?>) Wire.read(in);
                    run(number, method, arguments.toArray(), out);
                }
            } catch (IOException e) {
                // the process is gone
            }
        }

        private void run(int number, String method, Object[] arguments, DataOutputStream out) throws IOException {
            switch (method) {
                case "watch" ->
                    watches.put(number, store.watch((Resource) arguments[0], () -> tell(out, number, null, "")));
                case "subscribe" ->
                    watches.put(
                            number,
                            with(QueueingStore.class)
                                    .subscribe(
                                            (String) arguments[0], new Sender(text -> tell(out, number, null, text))));
                case "unwatch" -> watches.remove((Integer) arguments[0]).close();
                default ->
                    command(method, arguments).whenComplete((value, failure) -> tell(out, number, failure, value));
            }
        }

        private <T> T with(Class<T> capability) {
            return Objects.requireNonNull(store.capability(capability));
        }

        private CompletionStage<?> command(String name, Object[] arguments) {
            for (Class<?> type : List.of(LockStore.class, SemaphoreStore.class, LatchStore.class)) {
                Method method = Stream.of(type.getMethods())
                        .filter(one -> one.getName().equals(name))
                        .findFirst()
                        .orElse(null);
                if (method != null) {
                    try {
                        return (CompletionStage<?>) method.invoke(with(type), arguments);
                    } catch (ReflectiveOperationException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            throw new IllegalArgumentException(name);
        }

        /** A number, and a value or the message and kind of a failure. */
        private static void tell(DataOutputStream out, int number, Throwable failure, Object value) {
            synchronized (out) {
                try {
                    out.writeInt(number);
                    out.writeBoolean(failure == null);
                    Wire.write(out, failure == null ? value : failure.getMessage());
                    if (failure instanceof HoldfastException known) {
                        out.writeBoolean(known.retryable());
                    } else if (failure != null) {
                        out.writeBoolean(false);
                    }
                    out.flush();
                } catch (IOException e) {
                    // there is no client to notify
                }
            }
        }
    }

    /** Sends what the store tells a client; see {@link ServedStore}. Grants on release are not asked for. */
    private record Sender(Consumer<String> out) implements ClaimListener {

        @Override
        public void turnReached(String claimId) {
            out.accept("T" + claimId);
        }

        @Override
        public void revocationRequested(String claimId) {
            out.accept("R" + claimId);
        }

        @Override
        public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
            turnReached(claimId);
        }

        @Override
        public void resync() {
            out.accept("S");
        }
    }
}
