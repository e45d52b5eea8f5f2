package io.holdfast.demo;

import io.holdfast.Holdfast;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The main class of a worker process. It does what it is told on its standard input, a line for each task, and reports
 * on its standard output. It ends when its input does, so it can't outlive the demo.
 */
final class Worker {

    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();

    private Worker() {}

    public static void main(String[] args) throws Exception {
        new Worker().run(Settings.from(System.getenv()));
    }

    private void run(Settings settings) throws Exception {
        readCommands();
        try (Holdfast holdfast = Holdfast.builder()
                        .uri(settings.url())
                        .lease(settings.lease())
                        .clientName(settings.name())
                        .build();
                SharedData data = new SharedData(settings)) {
            Visitors visitors = new Visitors(settings, holdfast, data.logbook());
            Report.say("ready");
            while (true) {
                String[] command = commands.take().split(" ");
                switch (command[0]) {
                    case "count" -> new Counting(data).run(Duration.parse(command[1]));
                    case "count-locked" ->
                        new Counting(data, holdfast.lock(settings.prefix() + "counter-lock"))
                                .run(Duration.parse(command[1]));
                    case "work" ->
                        new LongJob(data, holdfast.lock(settings.prefix() + "job-lock"))
                                .run(Integer.parseInt(command[1]));
                    case "write" ->
                        new DocumentEdit(data, holdfast.lock(settings.prefix() + "document-lock"))
                                .run(settings.name(), this::awaitGo);
                    case "transfer" ->
                        new Transfers(data, name -> holdfast.lock(settings.prefix() + name))
                                .run(Duration.parse(command[1]));
                    default -> visitors.start(command);
                }
            }
        } catch (Exception e) {
            Report.say("failed", e);
            System.exit(1);
        }
    }

    private void awaitGo() throws InterruptedException {
        String command = commands.take();
        if (!command.equals("go")) {
            throw new IllegalStateException("told to " + command + " instead of to go");
        }
    }

    private void readCommands() {
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader in =
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                        for (String line = in.readLine(); line != null; line = in.readLine()) {
                            commands.add(line);
                        }
                    } catch (IOException e) {
                        // Ends the process as well.
                    }
                    System.exit(0);
                },
                "commands");
        reader.setDaemon(true);
        reader.start();
    }
}
