package org.crac;

/** As in the real API. */
public abstract class Context<R extends Resource> implements Resource {

    public abstract void register(R resource);
}
