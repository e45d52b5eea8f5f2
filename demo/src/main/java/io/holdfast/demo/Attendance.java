package io.holdfast.demo;

import io.holdfast.demo.Logbook.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** What each visitor does at one moment, as the logbook has it. */
final class Attendance {

    private final Map<String, Entry> latest = new HashMap<>();

    /** After all of these. */
    static Attendance after(List<Entry> entries) {
        Attendance attendance = new Attendance();
        entries.forEach(attendance::add);
        return attendance;
    }

    /** The most that there ever was of something. */
    static int most(List<Entry> entries, ToIntFunction<Attendance> number) {
        Attendance attendance = new Attendance();
        int most = 0;
        for (Entry entry : entries) {
            attendance.add(entry);
            most = Math.max(most, number.applyAsInt(attendance));
        }
        return most;
    }

    void add(Entry entry) {
        if (entry.doing() == Doing.DIES) {
            latest.values().removeIf(before -> before.worker().equals(entry.worker()));
        } else if (!entry.doing().isInstant()) {
            latest.put(entry.visitor(), entry);
        }
    }

    int count(Doing doing) {
        return (int)
                latest.values().stream().filter(entry -> entry.doing() == doing).count();
    }

    int count(Doing doing, String worker) {
        return (int) latest.values().stream()
                .filter(entry -> entry.doing() == doing && entry.worker().equals(worker))
                .count();
    }

    /** What matters most of what the visitors of a worker do. */
    Doing doing(String worker) {
        return latest.values().stream()
                .filter(entry -> entry.worker().equals(worker))
                .map(Entry::doing)
                .max(Doing::compareTo)
                .orElse(Doing.IDLE);
    }
}
