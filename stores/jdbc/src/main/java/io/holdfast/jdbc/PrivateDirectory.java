package io.holdfast.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/**
 * A directory whose files no other user of the machine can reach. H2 creates a file with the permissions that the process
 * gives to all files, and writes the key to the database into it before anybody can change that; so it is the directory
 * that has to keep others out. Where a file system has no such permissions, nothing is checked.
 */
final class PrivateDirectory {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNERS_FILE = PosixFilePermissions.fromString("rw-------");

    /** The directory is another user's, or open to others; the message says what to do. */
    static final class NotPrivateException extends IOException {
        private static final long serialVersionUID = 1;

        NotPrivateException(String message) {
            super(message);
        }
    }

    private PrivateDirectory() {}

    /** Creates the directory if it is missing, and checks it otherwise. */
    static void prepare(Path directory) throws IOException {
        if (!isPosix(directory)) {
            Files.createDirectories(directory);
            return;
        }
        if (Files.notExists(directory)) {
            Path parent = directory.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        }
        check(directory.toRealPath());
    }

    private static void check(Path directory) throws IOException {
        UserPrincipal me = me(directory);
        if (!Files.getOwner(directory).equals(me)) {
            throw new NotPrivateException(
                    directory + " belongs to " + Files.getOwner(directory).getName()
                            + ", whose owner could read and change the locks; use a directory of your own");
        }
        Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(directory);
        if (allowed.contains(PosixFilePermission.GROUP_WRITE) || allowed.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw open(directory);
        }
        for (Path at = directory; at != null; at = at.getParent()) {
            Set<PosixFilePermission> entry = Files.getPosixFilePermissions(at);
            if (!entry.contains(PosixFilePermission.GROUP_EXECUTE)
                    && !entry.contains(PosixFilePermission.OTHERS_EXECUTE)
                    && Files.getOwner(at).equals(me)) {
                return;
            }
        }
        throw open(directory);
    }

    private static NotPrivateException open(Path directory) {
        return new NotPrivateException(
                directory + " is open to other users of this machine, and whoever reads the key in it"
                        + " can run code in this process; make it private (chmod 700) or use a directory that is");
    }

    /** The owner of what this process creates there: a name in a property may be another user's. */
    private static UserPrincipal me(Path directory) throws IOException {
        Path probe =
                Files.createTempFile(directory, ".holdfast", null, PosixFilePermissions.asFileAttribute(OWNERS_FILE));
        try {
            return Files.getOwner(probe);
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    /** Makes a file the owner's only, if it is there. */
    static void close(Path file) throws IOException {
        if (isPosix(file)) {
            try {
                if (!Files.getPosixFilePermissions(file).equals(OWNERS_FILE)) {
                    Files.setPosixFilePermissions(file, OWNERS_FILE);
                }
            } catch (NoSuchFileException e) {
                return;
            }
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
