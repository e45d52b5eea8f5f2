package io.holdfast.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A command to the store, from sending it to its answer. */
@Name("holdfast.StoreCommand")
@Label("Store Command")
@Category("Holdfast")
@Description("A command to the store, from sending it to its answer")
@StackTrace(false)
@Threshold("20 ms")
@SuppressWarnings("unused") // read by the flight recorder
final class StoreCommandEvent extends Event {

    @Label("Command")
    String command = "";

    @Label("Name")
    @Description("What it is about, if that is one name")
    @Nullable
    String name;

    @Label("Number")
    @Description("How many claims it is about")
    int number;

    @Label("Outcome")
    @Description("answered, refused or failed")
    String outcome = "";

    @Label("Failure")
    @Nullable
    String failure;
}
