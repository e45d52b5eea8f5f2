package io.holdfast.tck.broken;

import io.holdfast.tck.StoreBinding;
import io.holdfast.tck.StoreIntegration;
import io.holdfast.tck.StoreSpecification;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;

/**
 * The suites on a store with a fault. They fail, so they are not run as tests of their own; {@link BrokenStoreTest} runs them,
 * several at a time, and says in a configuration parameter which store each run is on.
 */
interface BrokenStore extends StoreBinding {

    /** The parameter with the URI of the store. */
    String PARAMETER = "holdfast.broken";

    void breaks(String uri);

    @ExtendWith(Breaking.class)
    final class Specification extends StoreSpecification implements BrokenStore {

        private String uri = "";

        @Override
        public void breaks(String uri) {
            this.uri = uri;
        }

        @Override
        public String uri() {
            return uri;
        }
    }

    @ExtendWith(Breaking.class)
    final class Integration extends StoreIntegration implements BrokenStore {

        private String uri = "";

        @Override
        public void breaks(String uri) {
            this.uri = uri;
        }

        @Override
        public String uri() {
            return uri;
        }
    }

    /** Tells a suite which store it is on. */
    final class Breaking implements TestInstancePostProcessor {
        @Override
        public void postProcessTestInstance(Object suite, ExtensionContext context) {
            if (suite instanceof BrokenStore broken) {
                broken.breaks(context.getConfigurationParameter(PARAMETER).orElseThrow());
            }
        }
    }
}
