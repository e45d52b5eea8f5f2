package io.holdfast.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A lock or permits were held, from the grant to the release or the loss. */
@Name("holdfast.LockHold")
@Label("Lock Hold")
@Category("Holdfast")
@Description("A lock or permits were held, from the grant to the release or the loss")
@StackTrace(true)
@Threshold("20 ms")
@SuppressWarnings("unused") // read by the flight recorder
final class LockHoldEvent extends Event {

    @Label("Name")
    String name = "";

    @Label("Mode")
    String mode = "";

    @Label("Outcome")
    @Description("released or lost")
    String outcome = "";

    @Label("Fencing Token")
    long token;
}
