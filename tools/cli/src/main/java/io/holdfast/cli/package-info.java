/** The command line: {@code run} takes a lock for a command; the others look, and release. */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
