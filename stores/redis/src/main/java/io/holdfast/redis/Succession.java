package io.holdfast.redis;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which of some servers is the master, by what they say of themselves one time after the other; there is nobody else to
 * ask. Of several that say so, the one that was promoted comes before the one that it followed, and else the one with the
 * most replicas: the others have been left by theirs.
 *
 * <p>Whoever answers could be promoted, and so could one that says it is a master: it may have been promoted just now, and
 * the others will soon follow it and forget what they have from the old one. Only a master that is known to have been left
 * behind does not count: one whose replica has taken its place before our eyes, or one that another was promoted from, as
 * its history says. Where a server does not tell of its history, who has not seen it has to wait until the old master
 * follows as well.
 */
final class Succession {

    /** Who has not answered for so long is down, and nobody makes it the master. */
    private static final long DOWN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Pattern HISTORY = Pattern.compile("\\bmaster_replid:([0-9a-f]*[1-9a-f][0-9a-f]*)");
    private static final Pattern ORIGIN = Pattern.compile("\\bmaster_replid2:([0-9a-f]*[1-9a-f][0-9a-f]*)");

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Address, Member> members = new HashMap<>();
    private @Nullable Member master;

    private static final class Member {
        final Address address;
        long answeredAt;
        boolean saysMaster;
        int followers;

        /** What its data is a copy of, or empty if it does not tell. */
        String history = "";

        /** What it was a copy of before it was promoted. */
        String origin = "";

        /** Whether it has followed another since it was last taken for the master. */
        boolean hasFollowed;

        /** Whether one that followed it has taken its place, and it has not followed since. */
        boolean wasReplaced;

        Member(Address address, long now) {
            this.address = address;
            this.answeredAt = now;
        }
    }

    /** @param now as all times here, of the monotonic clock; nobody is taken for down before there was time to answer */
    Succession(List<Address> all, long now) {
        all.forEach(address -> members.put(address, new Member(address, now)));
    }

    /**
     * @param role the answer to ROLE
     * @param replication the answer to INFO replication, or nothing where that may not be asked for
     */
    void said(Address who, List<Object> role, String replication, long now) {
        lock.lock();
        try {
            Member member = member(who);
            member.answeredAt = now;
            member.saysMaster = String.valueOf(role.get(0)).equals("master");
            member.followers = member.saysMaster ? ((List<?>) role.get(2)).size() : 0;
            member.history = found(HISTORY, replication);
            member.origin = found(ORIGIN, replication);
            if (!member.saysMaster) {
                member.hasFollowed = true;
                member.wasReplaced = false;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether it is a master that nobody has left behind, as far as is known. */
    boolean leads(Address who) {
        lock.lock();
        try {
            Member member = member(who);
            return member.saysMaster && !isLeftBehind(member);
        } finally {
            lock.unlock();
        }
    }

    /** @param answering who is there to be chosen from */
    Optional<Address> master(Collection<Address> answering) {
        lock.lock();
        try {
            Optional<Member> chosen = answering.stream()
                    .map(this::member)
                    .filter(member -> member.saysMaster)
                    .max(Comparator.comparing((Member member) -> !isLeftBehind(member))
                            .thenComparingInt(member -> member.followers));
            chosen.ifPresent(this::follow);
            return chosen.map(member -> member.address);
        } finally {
            lock.unlock();
        }
    }

    private void follow(Member next) {
        Member last = master;
        if (next == last) {
            return;
        }
        if (last != null && next.hasFollowed) {
            last.wasReplaced = true;
        }
        next.hasFollowed = false;
        master = next;
    }

    /** What its data is a copy of, as it said last, or empty if it does not tell. */
    String history(Address who) {
        lock.lock();
        try {
            return member(who).history;
        } finally {
            lock.unlock();
        }
    }

    /** How many could take the place of the master that was chosen last; at least one if there is any other. */
    int promotable(long now) {
        lock.lock();
        try {
            int promotable = (int) members.values().stream()
                    .filter(member -> member != master && now - member.answeredAt < DOWN_NANOS && !isLeftBehind(member))
                    .count();
            return members.size() > 1 ? Math.max(1, promotable) : 0;
        } finally {
            lock.unlock();
        }
    }

    private boolean isLeftBehind(Member member) {
        return member.saysMaster
                && (member.wasReplaced
                        || members.values().stream()
                                .anyMatch(other -> other.saysMaster
                                        && !other.origin.isEmpty()
                                        && other.origin.equals(member.history)));
    }

    private Member member(Address address) {
        Member member = members.get(address);
        if (member == null) {
            throw new IllegalArgumentException("not one of them: " + address);
        }
        return member;
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }
}
