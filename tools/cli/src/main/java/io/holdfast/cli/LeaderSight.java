package io.holdfast.cli;

import io.holdfast.Leader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who led an election at one moment. */
record LeaderSight(String election, Optional<Leader> leader) {

    static LeaderSight of(Sight sight) {
        return new LeaderSight(sight.name(), Optional.ofNullable(sight.state()).flatMap(Leader::of));
    }

    Map<String, @Nullable Object> structure() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("kind", "election");
        members.put("name", election);
        members.put("event", leader.isPresent() ? "leads" : "vacant");
        leader.ifPresent(its -> {
            members.put("token", its.token());
            members.put("value", its.value());
            members.put("client", its.client());
            members.put("host", its.host());
            members.put("process", its.process());
            members.put("since", its.since() == null ? null : its.since().toString());
        });
        return members;
    }

    String text() {
        String head = Text.line(election);
        return leader.map(its -> head + "  leads  " + (its.value() == null ? "-" : Text.line(its.value())) + "  token "
                        + its.token() + "  since " + Text.time(its.since()) + "  "
                        + Text.line(its.client() + " on " + its.host() + ", process " + its.process()))
                .orElse(head + "  vacant");
    }
}
