package io.holdfast.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The terminal that this process was started from, if any. */
final class Terminal {

    private Terminal() {}

    /**
     * Whether this process is in the terminal's foreground, and its command with it: then a Ctrl-C was sent to both by the
     * terminal.
     */
    static boolean isOurs() {
        try {
            String[] ids = Files.exists(Path.of("/proc/self/stat")) ? linux() : unix();
            return ids.length == 2 && ids[0].equals(ids[1]) && !ids[0].startsWith("-");
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The process group, and the terminal's foreground process group. */
    private static String[] linux() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
        // pid (name) state parent group session terminal foreground …; the name may contain anything
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new String[] {fields[2], fields[5]};
    }

    private static String[] unix() throws IOException, InterruptedException {
        Process ps = new ProcessBuilder(
                        "ps",
                        "-o",
                        "pgid=",
                        "-o",
                        "tpgid=",
                        "-p",
                        Long.toString(ProcessHandle.current().pid()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!ps.waitFor(2, TimeUnit.SECONDS)) {
            ps.destroyForcibly();
            return new String[0];
        }
        return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                .strip()
                .split("\\s+");
    }
}
