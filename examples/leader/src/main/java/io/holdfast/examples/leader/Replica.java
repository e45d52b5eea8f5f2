package io.holdfast.examples.leader;

import io.holdfast.Candidacy;
import io.holdfast.Candidate;
import io.holdfast.Holdfast;
import io.holdfast.Leadership;
import java.io.IOException;
import java.time.Duration;

/** One replica of a service: it campaigns until it is told to end, and works only while it leads. */
public final class Replica {

    /** How long a leader that dies keeps its successor waiting. */
    static final Duration LEASE = Duration.ofSeconds(2);

    static final String ELECTION = "example:leader";

    private Replica() {}

    /**
     * Runs until its standard input ends.
     *
     * @param arguments the URI of the store, and the name that followers see
     */
    public static void main(String[] arguments) throws IOException {
        String name = arguments[1];
        try (Holdfast holdfast = Holdfast.builder()
                        .uri(arguments[0])
                        .lease(LEASE)
                        .clientName(name)
                        .build();
                Candidacy candidacy =
                        holdfast.election(ELECTION).withValue(name).lead(new Worker(name))) {
            System.out.println(name + " campaigns");
            while (System.in.read() >= 0) {
                // nothing is expected but the end
            }
            System.out.println(name + (candidacy.isLeading() ? " resigns" : " leaves"));
        }
    }

    /** Work that only the leader does: here, to say so. A real one starts and stops its schedulers or consumers. */
    private record Worker(String name) implements Candidate {

        @Override
        public void granted(Leadership leadership) {
            System.out.println(name + " begins to work, with token " + leadership.token());
        }

        /** The next one leads when this has returned, or when the lease has ended. */
        @Override
        public void revoked(Leadership leadership) {
            System.out.println(name + " has stopped" + (leadership.isValid() ? "" : ", and was late"));
        }
    }
}
