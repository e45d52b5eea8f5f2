package io.holdfast.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A caller waited for a lock or for permits, from asking to the answer. */
@Name("holdfast.LockWait")
@Label("Lock Wait")
@Category("Holdfast")
@Description("A caller waited for a lock or for permits, from asking to the answer")
@StackTrace(true)
@Threshold("20 ms")
@SuppressWarnings("unused") // read by the flight recorder
final class LockWaitEvent extends Event {

    @Label("Name")
    String name = "";

    @Label("Mode")
    String mode = "";

    @Label("Outcome")
    @Description("granted, timeout, interrupted, cancelled or error")
    String outcome = "";

    @Label("Fencing Token")
    @Description("0 if it was not granted")
    long token;

    @Label("Asynchronous")
    @Description("Whether a future was waited for; then the stack trace is that of its completion")
    boolean asynchronous;

    @Label("Requested By")
    @Description("The thread that asked")
    String requester = "";
}
