package io.holdfast.modules;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Libraries of this class path, chosen by a part of their paths. */
final class Libraries {

    private Libraries() {}

    /** A path of the libraries that have one of the parts in their own path. */
    @SafeVarargs
    static String of(List<String>... parts) {
        List<String> wanted = Arrays.stream(parts).flatMap(List::stream).toList();
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(library -> wanted.stream().anyMatch(library.replace('\\', '/')::contains))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
