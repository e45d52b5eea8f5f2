package io.holdfast.redis;

import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
     */
    record Shard(Address master, long epoch, int promotable) {

        private Shard with(Map<Address, Integer> promotable) {
            return new Shard(master, epoch, promotable.getOrDefault(master, this.promotable));
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
            Shard shard = new Shard(master.address, master.epoch, promotable(master, all));
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
        Map<Address, Integer> promotable = new HashMap<>();
        Map<Address, Shard> empty = new LinkedHashMap<>();
        @Nullable Shard[] slots = new Shard[SlotHash.SLOT_COUNT];
        for (ClusterView view : views) {
            for (Shard shard : view.empty) {
                empty.put(shard.master, shard);
                promotable.merge(shard.master, shard.promotable, Math::max);
            }
            for (int slot = 0; slot < slots.length; slot++) {
                Shard shard = view.slots.get(slot);
                Shard other = slots[slot];
                if (shard != null && (other == null || shard.epoch > other.epoch)) {
                    slots[slot] = shard;
                }
                if (shard != null) {
                    promotable.merge(shard.master, shard.promotable, Math::max);
                }
            }
        }
        for (int slot = 0; slot < slots.length; slot++) {
            Shard shard = slots[slot];
            if (shard != null) {
                slots[slot] = shard.with(promotable);
                empty.remove(shard.master);
            }
        }
        empty.replaceAll((master, shard) -> shard.with(promotable));
        return new ClusterView(list(slots), empty.values());
    }

    private static List<@Nullable Shard> list(@Nullable Shard[] slots) {
        List<@Nullable Shard> list = new ArrayList<>(slots.length);
        for (Shard shard : slots) {
            list.add(shard);
        }
        return list;
    }

    private static int promotable(Node master, List<Node> all) {
        List<Node> replicas = replicas(master, all);
        if (replicas.isEmpty()) {
            replicas = orphans(master, all);
        }
        int up = (int) replicas.stream().filter(node -> !node.isDown()).count();
        return replicas.isEmpty() ? 0 : Math.max(1, up);
    }

    private static List<Node> replicas(Node master, List<Node> all) {
        return all.stream().filter(node -> node.masterId.equals(master.id)).toList();
    }

    /**
     * Replicas of masters that another, newer one has taken all slots from. They will follow that one, and are listed with
     * the old one until it has got around; which that is can't be seen, so they count with each that has none of its own. A
     * master that never had a slot has no epoch.
     */
    private static List<Node> orphans(Node newer, List<Node> all) {
        return all.stream()
                .filter(old -> old.isMaster()
                        && !old.id.equals(newer.id)
                        && old.slots.isEmpty()
                        && old.epoch > 0
                        && old.epoch < newer.epoch)
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
