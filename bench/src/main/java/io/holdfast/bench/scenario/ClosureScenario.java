package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Stage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What comes onto the class path with a library. */
final class ClosureScenario implements Scenario {

    private static final Metric JARS = Metric.less("jars", "jars", Unit.COUNT).asHeadline();
    private static final Metric SIZE =
            Metric.less("size", "size of the jars", Unit.MEGABYTES).asHeadline();

    @Override
    public String id() {
        return "closure";
    }

    @Override
    public String title() {
        return "Jars that come along";
    }

    @Override
    public String about() {
        return "All jars that a project gets with the library at run time, itself included, as this build resolves them:"
                + " where contestants ask for different versions of a jar, all of them count the newest.";
    }

    @Override
    public List<Metric> metrics() {
        return List.of(JARS, SIZE);
    }

    @Override
    public boolean fits(Contestant contestant) {
        return contestant != Contestant.CEILING;
    }

    @Override
    public boolean varies() {
        return false;
    }

    @Override
    public double seconds(Pace pace) {
        return 0.1;
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException {
        Set<String> closure = new TreeSet<>(DependencyTree.read().closure(contestant.artifacts()));
        double bytes = 0;
        for (String artifact : closure) {
            bytes += size(artifact);
        }
        return Sample.of(JARS, closure.size()).put(SIZE, bytes / 1e6).note("jars", String.join(", ", closure));
    }

    private static long size(String artifact) throws IOException {
        // In a build of all modules, one of our own may still be a directory of classes.
        String module = artifact.replaceFirst("^holdfast-", "").replaceFirst("-\\d.*", "");
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (path.endsWith(artifact + ".jar") || path.endsWith(Path.of(module, "target", "classes"))) {
                return sizeOf(path);
            }
        }
        throw new IOException(artifact + " is not on the class path");
    }

    private static long sizeOf(Path path) throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
