package io.holdfast.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A hold that ended before it was given back. */
@Name("holdfast.LeaseLost")
@Label("Lease Lost")
@Category("Holdfast")
@Description("A hold ended before it was given back")
@StackTrace(false)
@SuppressWarnings("unused") // read by the flight recorder
final class LeaseLostEvent extends Event {

    @Label("Name")
    String name = "";

    @Label("Mode")
    String mode = "";

    @Label("Fencing Token")
    long token;

    @Label("Reason")
    String reason = "";

    @Label("Text")
    String text = "";

    @Label("Held For")
    @Timespan(Timespan.NANOSECONDS)
    long held;
}
