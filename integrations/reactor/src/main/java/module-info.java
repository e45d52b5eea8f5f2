/** Locks, semaphores and elections for Reactor. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Reactor has no modules of its own
module io.holdfast.reactor {
    requires transitive io.holdfast;
    requires transitive reactor.core;
    requires transitive org.reactivestreams;
    requires static org.jspecify;

    exports io.holdfast.reactor;
}
