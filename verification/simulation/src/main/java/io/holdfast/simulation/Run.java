package io.holdfast.simulation;

/**
 * One run of a command at the store.
 *
 * @param repeated whether the network made it of a command that has run before
 * @param answered whether the client will hear of it
 */
record Run(boolean repeated, boolean answered) {}
