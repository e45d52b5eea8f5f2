/** Meters and observations of locks. */
module io.holdfast.micrometer {
    requires transitive io.holdfast;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires micrometer.commons;
    requires static org.jspecify;

    exports io.holdfast.micrometer;
}
