package io.holdfast.spring.boot;

import io.holdfast.Holdfast;

/** A bean of this type changes the settings of the auto-configured client, after the properties have been applied. */
@FunctionalInterface
public interface HoldfastBuilderCustomizer {

    void customize(Holdfast.Builder builder);
}
