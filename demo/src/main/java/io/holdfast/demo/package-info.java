/** What the locks are for, shown live with processes that race, share and queue, and are killed and paused. */
@NullMarked
package io.holdfast.demo;

import org.jspecify.annotations.NullMarked;
