/** The command line: {@code run} takes a lock for a command; the other commands show and release locks. */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
