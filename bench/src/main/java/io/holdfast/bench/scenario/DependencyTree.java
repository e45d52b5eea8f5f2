package io.holdfast.bench.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which jar brings which, as Maven resolved this build and wrote it down. An artifact that several ask for has its own
 * dependencies at one place only; the other places just name it.
 */
final class DependencyTree {

    private static final Pattern LINE =
            Pattern.compile("^((?:[|\\\\+ ][ -] )*)\\(?([^:\\s]+):([^:\\s]+):jar:([^:\\s]+)(?::(\\w+))?.*");

    private final Map<String, String> versions = new HashMap<>();
    private final Map<String, Set<String>> children = new HashMap<>();

    static DependencyTree read() throws IOException {
        try (InputStream in = DependencyTree.class.getResourceAsStream("/io/holdfast/bench/dependency-tree.txt")) {
            if (in == null) {
                throw new IOException("the build has left no dependency tree");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    static DependencyTree parse(String text) {
        DependencyTree tree = new DependencyTree();
        List<String> path = new ArrayList<>();
        for (String line : text.split("\r?\n")) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches() || "test".equals(matcher.group(5))) {
                continue;
            }
            int depth = matcher.group(1).length() / 3;
            String artifact = matcher.group(3);
            path.subList(Math.min(depth, path.size()), path.size()).clear();
            tree.versions.put(artifact, matcher.group(4));
            if (!path.isEmpty()) {
                tree.children
                        .computeIfAbsent(path.get(path.size() - 1), key -> new LinkedHashSet<>())
                        .add(artifact);
            }
            path.add(artifact);
        }
        return tree;
    }

    /** The artifacts and all that they bring, each as "artifact-version". */
    Set<String> closure(List<String> artifacts) {
        Set<String> closure = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(artifacts);
        while (!open.isEmpty()) {
            String artifact = open.pop();
            if (closure.add(artifact + "-" + version(artifact))) {
                open.addAll(children.getOrDefault(artifact, Set.of()));
            }
        }
        return closure;
    }

    String version(String artifact) {
        String version = versions.get(artifact);
        if (version == null) {
            throw new IllegalArgumentException(artifact + " is not in the dependency tree");
        }
        return version;
    }
}
