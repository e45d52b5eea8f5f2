/**
 * Elections: one leader among candidates, over the fair lock of the name. Begin with {@link
 * io.holdfast.internal.election.ElectionFace}, which callers see; {@code CandidacyLoop} campaigns again and again, {@code Term} is one
 * leadership of it, from the grant to its end, and {@code Observed} looks for the listeners of one name.
 */
@NullMarked
package io.holdfast.internal.election;

import org.jspecify.annotations.NullMarked;
