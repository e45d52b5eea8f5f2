package io.holdfast.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where locks are by default: an H2 file of this user, which the first process opens and serves to the
 * other processes of this machine. The key that they need is in a file beside it, so only this user may look there.
 */
final class DefaultStore {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /**
     * No trace file, which would grow with every process that is killed, and no tidying up when the last process closes
     * the file: the next ones would have to wait for it. It is tidied up while it is open.
     */
    private static final String SETTINGS = ";AUTO_SERVER=TRUE;TRACE_LEVEL_FILE=0;MAX_COMPACT_TIME=0";

    private final Map<String, String> environment;
    private final boolean windows;

    DefaultStore(Map<String, String> environment) {
        this(environment, File.separatorChar == '\\');
    }

    DefaultStore(Map<String, String> environment, boolean windows) {
        this.environment = environment;
        this.windows = windows;
    }

    /** Makes the directory if it is missing. */
    String url() {
        Path directory = directory();
        String path = directory.resolve("locks").toString();
        if (path.indexOf(';') >= 0) {
            throw elsewhere(directory + " has a semicolon in it, which H2 can't open", null);
        }
        try {
            make(directory);
        } catch (IOException e) {
            throw elsewhere(directory + " can't be used: " + e, e);
        }
        return "jdbc:h2:file:" + path + SETTINGS;
    }

    Path directory() {
        String state = windows ? value("LOCALAPPDATA") : value("XDG_STATE_HOME");
        if (state != null && Path.of(state).isAbsolute()) {
            return Path.of(state, "holdfast");
        }
        String home = windows ? value("USERPROFILE") : value("HOME");
        if (home == null) {
            home = System.getProperty("user.home", "");
        }
        if (home.isEmpty() || !Path.of(home).isAbsolute()) {
            throw elsewhere("there is no home directory to keep the locks in", null);
        }
        return windows ? Path.of(home, "AppData", "Local", "holdfast") : Path.of(home, ".local", "state", "holdfast");
    }

    private @Nullable String value(String name) {
        String value = environment.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    private static void make(Path directory) throws IOException {
        boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
        Path parent = directory.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (!posix) {
            Files.createDirectories(directory);
            return;
        }
        Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        if (!Files.getPosixFilePermissions(directory).equals(OWNER_ONLY)) {
            Files.setPosixFilePermissions(directory, OWNER_ONLY);
        }
    }

    private static CliException elsewhere(String why, @Nullable Throwable cause) {
        String message =
                why + "; say where with --url or HOLDFAST_URL, as in jdbc:h2:/private/directory/locks;AUTO_SERVER=TRUE";
        return cause == null ? new CliException(Exit.STORE, message) : new CliException(Exit.STORE, message, cause);
    }
}
