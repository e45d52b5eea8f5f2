package io.holdfast.spring.boot;

import io.holdfast.spring.boot.HoldfastProperties.StoreType;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to set when it is not clear where the locks are kept. */
final class HoldfastAnalyzers {

    private HoldfastAnalyzers() {}

    /** As it is written in a property. */
    static String name(StoreType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    static final class SeveralStores extends AbstractFailureAnalyzer<SeveralStoresException> {

        @Override
        protected FailureAnalysis analyze(Throwable root, SeveralStoresException cause) {
            String settings = cause.types().stream()
                    .map(type -> "holdfast.store=" + name(type))
                    .collect(Collectors.joining(", or "));
            return new FailureAnalysis(
                    sentence(cause),
                    "Set " + settings
                            + ", or name the store with holdfast.uri. All applications that share locks need the same"
                            + " store.",
                    cause);
        }
    }

    static final class NoStore extends AbstractFailureAnalyzer<NoStoreException> {

        @Override
        protected FailureAnalysis analyze(Throwable root, NoStoreException cause) {
            return new FailureAnalysis(sentence(cause), action(cause.wanted()), cause);
        }

        private static String action(@Nullable StoreType wanted) {
            if (wanted == null) {
                return "Set holdfast.uri, and have the module of that store on the class path. Or have one of these, with the module:"
                        + " spring-boot-starter-data-redis with holdfast-redis, a DataSource with holdfast-jdbc, a"
                        + " CuratorFramework with holdfast-zookeeper. In tests, holdfast.uri=memory: needs no server.";
            }
            return switch (wanted) {
                case REDIS ->
                    "Have spring-boot-starter-data-redis and holdfast-redis on the class path, or remove holdfast.store and set"
                            + " holdfast.uri=redis://….";
                case JDBC ->
                    "Have holdfast-jdbc on the class path and one DataSource, or several of which one is @Primary, or"
                            + " remove holdfast.store and set holdfast.uri=jdbc:….";
                case ZOOKEEPER ->
                    "Have holdfast-zookeeper on the class path and a bean of type CuratorFramework, or remove"
                            + " holdfast.store and set holdfast.uri=zookeeper://….";
            };
        }
    }

    private static String sentence(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return Character.toUpperCase(message.charAt(0)) + message.substring(1) + ".";
    }
}
