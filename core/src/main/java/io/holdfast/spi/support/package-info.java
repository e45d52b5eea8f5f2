/**
 * The shared kernel: what a command does to the claims of one name, for stores that decide in Java. A store loads the
 * {@linkplain io.holdfast.spi.support.LineState state} of the name, applies commands to a {@link
 * io.holdfast.spi.support.ClaimLine}, writes the {@linkplain io.holdfast.spi.support.LineUpdate update}, and then delivers
 * its {@linkplain io.holdfast.spi.support.Notification notifications}. Nothing here locks, waits, reads a clock or does
 * I/O. Start with {@link io.holdfast.spi.support.ClaimLine}.
 */
@NullMarked
package io.holdfast.spi.support;

import org.jspecify.annotations.NullMarked;
