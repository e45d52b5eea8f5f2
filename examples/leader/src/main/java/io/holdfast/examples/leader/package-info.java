/** Three processes of which one leads. Begin with {@link io.holdfast.examples.leader.Replica}. */
@NullMarked
package io.holdfast.examples.leader;

import org.jspecify.annotations.NullMarked;
