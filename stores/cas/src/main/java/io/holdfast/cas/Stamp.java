package io.holdfast.cas;

/**
 * What makes a value unlike every other one.
 *
 * @param writer a number at random of the store object that wrote it
 * @param number how many it had written before
 */
record Stamp(long writer, long number) {}
