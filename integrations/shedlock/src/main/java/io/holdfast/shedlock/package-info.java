/** Holdfast as a lock provider of ShedLock: {@link io.holdfast.shedlock.HoldfastLockProvider}. */
@NullMarked
package io.holdfast.shedlock;

import org.jspecify.annotations.NullMarked;
