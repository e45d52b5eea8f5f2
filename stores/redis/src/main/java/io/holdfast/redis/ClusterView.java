package io.holdfast.redis;

import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which master keeps which slot, as one node of a cluster or several of them see it.
 *
 * @param slots by their number; {@code null} for one that nobody keeps
 * @param empty the masters that keep none and are not down: one of them may just be given its first
 */
record ClusterView(List<@Nullable Shard> slots, Collection<Shard> empty) {

    /**
     * A master with its slots.
     *
     * @param epoch of its configuration: of two that say that a slot is theirs, the newer one has it
     * @param promotable how many replicas it has that are not down; at least 1 if there are any
     * @param replicas those that it has, down or not
     * @param others those, and what may have followed the master before it
     */
    record Shard(Address master, long epoch, int promotable, Set<Address> replicas, Set<Address> others) {

        /** With what another view says of the same master besides; which slots it has is not the matter. */
        private Shard and(Shard other) {
            return new Shard(
                    master,
                    Math.max(epoch, other.epoch),
                    Math.max(promotable, other.promotable),
                    union(replicas, other.replicas),
                    union(others, other.others));
        }

        Roster roster() {
            return new Roster(promotable, replicas, others);
        }

        private static Set<Address> union(Set<Address> some, Set<Address> more) {
            Set<Address> all = new HashSet<>(some);
            all.addAll(more);
            return all;
        }
    }

    /** One line of CLUSTER NODES. */
    private record Node(
            String id, Address address, Set<String> flags, String masterId, long epoch, List<String> slots) {

        boolean isMaster() {
            return flags.contains("master");
        }

        /** Suspected by one ({@code fail?}) is not down. */
        boolean isDown() {
            return flags.contains("fail") || flags.contains("noaddr");
        }
    }

    /** @param asked the host that answered, for a node that does not know its own */
    static ClusterView parse(String nodes, String asked) {
        List<Node> all = new ArrayList<>();
        for (String line : nodes.split("\n")) {
            Node node = node(line.trim().split(" "), asked);
            if (node != null) {
                all.add(node);
            }
        }
        @Nullable Shard[] slots = new Shard[SlotHash.SLOT_COUNT];
        List<Shard> empty = new ArrayList<>();
        for (Node master : all) {
            if (!master.isMaster()) {
                continue;
            }
            Shard shard = shard(master, all);
            master.slots.forEach(range -> fill(slots, range, shard));
            if (master.slots.isEmpty() && !master.isDown()) {
                empty.add(shard);
            }
        }
        return new ClusterView(list(slots), empty);
    }

    /** The newest of what several say of each slot. */
    static ClusterView newest(List<ClusterView> views) {
        if (views.size() == 1) {
            return views.get(0);
        }
        Map<Address, Shard> known = new HashMap<>();
        Map<Address, Shard> empty = new LinkedHashMap<>();
        @Nullable Shard[] slots = new Shard[SlotHash.SLOT_COUNT];
        for (ClusterView view : views) {
            for (Shard shard : view.empty) {
                empty.put(shard.master, shard);
                known.merge(shard.master, shard, Shard::and);
            }
            Set<Shard> seen = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int slot = 0; slot < slots.length; slot++) {
                Shard shard = view.slots.get(slot);
                Shard other = slots[slot];
                if (shard != null && (other == null || shard.epoch > other.epoch)) {
                    slots[slot] = shard;
                }
                if (shard != null && seen.add(shard)) { // the same for a range of slots
                    known.merge(shard.master, shard, Shard::and);
                }
            }
        }
        for (int slot = 0; slot < slots.length; slot++) {
            Shard shard = slots[slot];
            if (shard != null) {
                slots[slot] = known.getOrDefault(shard.master, shard);
                empty.remove(shard.master);
            }
        }
        empty.replaceAll((master, shard) -> known.getOrDefault(master, shard));
        return new ClusterView(list(slots), empty.values());
    }

    private static List<@Nullable Shard> list(@Nullable Shard[] slots) {
        List<@Nullable Shard> list = new ArrayList<>(slots.length);
        for (Shard shard : slots) {
            list.add(shard);
        }
        return list;
    }

    private static Shard shard(Node master, List<Node> all) {
        List<Node> own = replicas(master, all);
        List<Node> orphans = orphans(master, all);
        List<Node> replicas = own.isEmpty() ? orphans : own;
        int up = (int) replicas.stream().filter(node -> !node.isDown()).count();
        Set<Address> listed = addresses(replicas);
        return new Shard(
                master.address,
                master.epoch,
                replicas.isEmpty() ? 0 : Math.max(1, up),
                listed,
                Shard.union(listed, addresses(orphans)));
    }

    private static Set<Address> addresses(List<Node> nodes) {
        return nodes.stream().map(Node::address).collect(Collectors.toSet());
    }

    private static List<Node> replicas(Node master, List<Node> all) {
        return all.stream().filter(node -> node.masterId.equals(master.id)).toList();
    }

    /**
     * Replicas of masters that another, newer one has taken all slots from. They will follow that one, and are listed with
     * the old one until it has got around, also when that follows the newer one already; which that is can't be seen
     * otherwise, so they count with each that has none of its own. A master that never had a slot has no epoch.
     */
    private static List<Node> orphans(Node newer, List<Node> all) {
        return all.stream()
                .filter(old -> old.masterId.equals(newer.id)
                        || (old.isMaster()
                                && !old.id.equals(newer.id)
                                && old.slots.isEmpty()
                                && old.epoch > 0
                                && old.epoch < newer.epoch))
                .flatMap(old -> replicas(old, all).stream())
                .toList();
    }

    // <id> <host:port@bus[,name]> <flags> <id of its master or -> <ping> <pong> <epoch> <link> <slot or range>...
    private static @Nullable Node node(String[] fields, String asked) {
        if (fields.length < 8) {
            return null;
        }
        Set<String> flags = Set.of(fields[2].split(","));
        String[] at = fields[1].split("@")[0].split(",");
        int colon = at[0].lastIndexOf(':');
        int port = Integer.parseInt(at[0].substring(colon + 1));
        if (flags.contains("handshake") || port == 0) {
            return null;
        }
        String host = at[0].substring(0, colon).replaceAll("[\\[\\]]", "");
        List<String> slots = new ArrayList<>();
        for (int i = 8; i < fields.length; i++) {
            if (!fields[i].startsWith("[")) { // those that are on the move
                slots.add(fields[i]);
            }
        }
        return new Node(
                fields[0],
                new Address(host.isEmpty() ? asked : host, port),
                flags,
                fields[3],
                Long.parseLong(fields[6]),
                slots);
    }

    private static void fill(@Nullable Shard[] slots, String range, Shard shard) {
        int dash = range.indexOf('-');
        int from = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
        int to = dash < 0 ? from : Integer.parseInt(range.substring(dash + 1));
        for (int slot = from; slot <= to; slot++) {
            slots[slot] = shard;
        }
    }
}
