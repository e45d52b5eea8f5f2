/** What a lock is for, shown live with processes that are killed and paused. */
@NullMarked
package io.holdfast.demo;

import org.jspecify.annotations.NullMarked;
