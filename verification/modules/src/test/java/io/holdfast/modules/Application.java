package io.holdfast.modules;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;

/** A modular application that takes a lock and releases it. */
final class Application {

    private static final long PATIENCE = 120;

    private final Path folder;
    private final String modulePath;

    private Application(Path folder, String modulePath) {
        this.folder = folder;
        this.modulePath = modulePath;
    }

    /**
     * Compiles the application.
     *
     * @param module the only module that it requires
     * @param modulePath the libraries that it is compiled and run with
     */
    static Application compile(Path folder, String module, String modulePath) throws IOException {
        Path descriptor = Files.writeString(folder.resolve("module-info.java"), """
                module application {
                    requires %s;
                }
                """.formatted(module));
        Path main = Files.writeString(
                Files.createDirectories(folder.resolve("application")).resolve("Main.java"), """
                package application;

                import io.holdfast.DistributedLock;
                import io.holdfast.Holdfast;

                public final class Main {

                    public static void main(String[] uri) {
                        try (Holdfast holdfast = Holdfast.connect(uri[0])) {
                            DistributedLock lock = holdfast.lock("modules");
                            lock.lock();
                            lock.unlock();
                        }
                    }
                }
                """);
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int result = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        out,
                        out,
                        "--module-path",
                        modulePath,
                        "-d",
                        folder.resolve("classes").toString(),
                        descriptor.toString(),
                        main.toString());
        if (result != 0) {
            throw new IllegalStateException("the application does not compile: " + said);
        }
        return new Application(folder, modulePath);
    }

    /** Runs the application with nothing on the class path. */
    String run(String uri) throws IOException, InterruptedException {
        return run(uri, "");
    }

    /**
     * Runs the application.
     *
     * @return what it wrote to the error stream, and its exit code unless that is 0
     */
    String run(String uri, String classPath) throws IOException, InterruptedException {
        Path errors = Files.createTempFile(folder, "errors", ".txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "--class-path",
                        classPath,
                        "--module-path",
                        modulePath + File.pathSeparator + folder.resolve("classes"),
                        "--module",
                        "application/application.Main",
                        uri)
                .redirectError(errors.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(PATIENCE, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the application does not end: " + Files.readString(errors));
            }
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(errors) + (process.exitValue() == 0 ? "" : "exit code " + process.exitValue());
    }
}
