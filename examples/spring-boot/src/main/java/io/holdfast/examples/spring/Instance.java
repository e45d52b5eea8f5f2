package io.holdfast.examples.spring;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of the application, on a loopback port. */
final class Instance implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String name;
    private final String url;
    private final Path log;
    private final Process process;

    private Instance(String name, String url, Path log, Process process) {
        this.name = name;
        this.url = url;
        this.log = log;
        this.process = process;
    }

    /** Starts it, and waits until it is healthy. */
    static Instance start(String name, Path folder) throws IOException, InterruptedException {
        int port = freePort();
        Path log = folder.resolve(name + ".log");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dh2.bindAddress=127.0.0.1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShopApplication.class.getName(),
                        "--server.port=" + port,
                        "--shop.folder=" + folder.toAbsolutePath(),
                        "--shop.instance=" + name,
                        "--holdfast.client-name=" + name))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Instance instance = new Instance(name, "http://127.0.0.1:" + port, log, process);
        try {
            instance.awaitHealth();
            return instance;
        } catch (IOException | InterruptedException | RuntimeException e) {
            instance.kill();
            throw e;
        }
    }

    private void awaitHealth() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < deadline) {
            if (!process.isAlive()) {
                throw new IllegalStateException(name + " ended while it started:\n" + Files.readString(log));
            }
            try {
                if (get("/actuator/health").statusCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                // it does not listen yet
            }
            Thread.sleep(100);
        }
        throw new IllegalStateException(name + " was not healthy in time:\n" + Files.readString(log));
    }

    String name() {
        return name;
    }

    String url() {
        return url;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path) throws IOException, InterruptedException {
        return http.send(
                request(path).POST(HttpRequest.BodyPublishers.noBody()).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofMinutes(1));
    }

    /** As a crash would. */
    void kill() {
        process.destroyForcibly();
    }

    /** In order: what it holds is given back. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
