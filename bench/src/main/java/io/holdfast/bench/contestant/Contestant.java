package io.holdfast.bench.contestant;

import java.util.List;
import java.util.stream.Stream;

/** The contestants. */
public enum Contestant {
    HOLDFAST("holdfast", "Holdfast"),
    REDISSON("redisson", "Redisson"),
    SPRING_SPIN("spring-spin", "Spring spin"),
    SPRING_PUBSUB("spring-pubsub", "Spring pub/sub"),
    BARE("bare", "Bare SET NX"),
    CURATOR("curator", "Curator"),
    SPRING_JDBC("spring-jdbc", "Spring JDBC"),
    CEILING("ceiling", "Ceiling");

    private final String id;
    private final String label;

    Contestant(String id, String label) {
        this.id = id;
        this.label = label;
    }

    /**
     * The one with that id.
     *
     * @throws IllegalArgumentException if there is none, with a message for the user
     */
    public static Contestant of(String id) {
        return Stream.of(values())
                .filter(contestant -> contestant.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown contestant '" + id + "'; there are "
                        + String.join(", ", Stream.of(values()).map(c -> c.id).toList())));
    }

    public String id() {
        return id;
    }

    public String label() {
        return label;
    }

    /** What a user adds to a project; everything else comes with it. */
    public List<String> artifacts() {
        return switch (this) {
            case HOLDFAST -> List.of("holdfast-redis");
            case REDISSON -> List.of("redisson");
            case SPRING_SPIN, SPRING_PUBSUB -> List.of("spring-integration-redis", "lettuce-core");
            case BARE -> List.of("lettuce-core");
            case CURATOR -> List.of("curator-recipes");
            case SPRING_JDBC -> List.of("spring-integration-jdbc", "HikariCP");
            case CEILING -> List.of();
        };
    }

    /** Something that could be used instead of Holdfast; the ceiling is only a yardstick. */
    public boolean isPeer() {
        return this != HOLDFAST && this != CEILING;
    }

    /** Whether it has fair locks and read/write locks; the rest have one kind. */
    public boolean hasFamily() {
        return this == HOLDFAST || this == REDISSON;
    }

    /** Whether it has locks that are granted in the order of the requests; Curator has no other ones. */
    public boolean hasFairLocks() {
        return hasFamily() || this == CURATOR;
    }

    /** Whether its locks are kept there; Holdfast's are in whatever there is. */
    public boolean uses(Store store) {
        return switch (this) {
            case HOLDFAST -> true;
            case REDISSON -> store.isRedis();
            case CURATOR -> store == Store.ZOOKEEPER;
            case SPRING_JDBC -> store == Store.POSTGRESQL;
            default -> store == Store.REDIS;
        };
    }

    public boolean isSpring() {
        return this == SPRING_SPIN || this == SPRING_PUBSUB;
    }

    /** Connects, with the library's own defaults. */
    public LockClient open(Address address, Usage usage) {
        return switch (this) {
            case HOLDFAST -> new HoldfastClient(address, usage.lease());
            case REDISSON -> new RedissonLocks(address, usage);
            case SPRING_SPIN, SPRING_PUBSUB -> new SpringLocks(address, usage, this == SPRING_PUBSUB);
            case BARE -> new BareLocks(address, usage.lease());
            case CURATOR -> new CuratorLocks(address);
            case SPRING_JDBC -> new SpringJdbcLocks(address, usage);
            case CEILING -> new CeilingScripts(address, usage.lease());
        };
    }
}
