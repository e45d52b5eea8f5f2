/** What runs in the child processes: one contestant, one task, and the check that no lock is broken. */
@NullMarked
package io.holdfast.bench.worker;

import org.jspecify.annotations.NullMarked;
