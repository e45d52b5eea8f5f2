package io.holdfast.bench.stage;

import io.holdfast.bench.worker.Assignment;
import io.holdfast.bench.worker.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** The bench's hold on one {@link Worker}. */
final class WorkerProcess implements AutoCloseable {

    static final String ENDED = "ended";

    private final Process process;
    private final Writer input;
    private final BlockingQueue<String> said;

    private WorkerProcess(Process process, BlockingQueue<String> said) {
        this.process = process;
        this.said = said;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        Thread listener = new Thread(this::listen, "worker-" + process.pid());
        listener.setDaemon(true);
        listener.start();
    }

    /**
     * Starts a JVM with this one's class path.
     *
     * @param said where the lines go that it says, and {@link #ENDED} at last
     * @param errors where its standard error goes
     */
    static WorkerProcess start(
            Assignment assignment, List<String> jvmArguments, BlockingQueue<String> said, Path errors)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Worker.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command);
        assignment.writeTo(builder.environment());
        builder.redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
        return new WorkerProcess(builder.start(), said);
    }

    void tell(String line) throws IOException {
        input.write(line + "\n");
        input.flush();
    }

    private void listen() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                said.add(line);
            }
        } catch (IOException e) {
            // The stream of a process that was ended may be closed under the reader.
        }
        said.add(ENDED);
    }

    /** It holds nothing that matters, and its memory is wanted for the next one. */
    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
    }
}
