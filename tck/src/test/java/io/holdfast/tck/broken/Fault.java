package io.holdfast.tck.broken;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import io.holdfast.tck.ForwardingLatches;
import io.holdfast.tck.ForwardingListener;
import io.holdfast.tck.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** What can be wrong with a store. Each is a good store with one mistake in it. */
public enum Fault {
    ALWAYS_GRANTS {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                private final AtomicLong tokens = new AtomicLong();

                @Override
                public StoreTraits traits() {
                    return new StoreTraits(super.traits().guarantee(), true);
                }

                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return completedFuture(new ClaimResult.Granted(tokens.addAndGet(claim.tokens())));
                }

                @Override
                public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
                    return completedFuture(allHeld(claims));
                }

                @Override
                public CompletionStage<ReleaseResult> release(Claim claim) {
                    return completedFuture(new ReleaseResult(true, false));
                }
            };
        }
    },

    REUSES_TOKENS {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return super.claim(claim)
                            .thenApply(outcome ->
                                    outcome instanceof ClaimResult.Granted ? new ClaimResult.Granted(42) : outcome);
                }
            };
        }
    },

    RESERVES_NO_TOKENS {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return super.claim(new Claim(
                            claim.name(), claim.id(), claim.mode(), claim.lease(), claim.holds(), 1, claim.owner()));
                }
            };
        }
    },

    IGNORES_FLOORS {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return super.claim(claim.withMinToken(0));
                }
            };
        }
    },

    CLAIMS_ONCE {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                private final Set<String> seen = ConcurrentHashMap.newKeySet();

                /** The second time, even a held claim is another owner's. */
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return super.claim(claim).thenApply(outcome -> {
                        boolean granted = outcome instanceof ClaimResult.Granted;
                        return granted && !seen.add(claim.id()) ? new ClaimResult.Busy(claim.lease()) : outcome;
                    });
                }
            };
        }
    },

    RELEASES_ANYTHING {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                /** Ends whatever claim holds by then. */
                @Override
                public CompletionStage<ReleaseResult> release(Claim claim) {
                    return super.forceRelease(claim.resource(), OptionalLong.empty())
                            .thenApply(held -> new ReleaseResult(held, false));
                }
            };
        }
    },

    RENEWS_THE_DEAD {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
                    return super.renew(claims).thenApply(held -> allHeld(claims));
                }
            };
        }
    },

    NEVER_RENEWS {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                /** Reports the claims that are still there, but extends none. */
                @Override
                public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
                    return super.renew(claims.stream()
                            .map(claim -> claim.withLease(Duration.ofMillis(1)))
                            .toList());
                }
            };
        }
    },

    SHORTENS {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                /** Sets the lease, whatever was promised before. */
                @Override
                public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
                    return super.renew(claims).thenApply(held -> {
                        for (Claim claim : claims) {
                            if (held.containsKey(claim.id())) {
                                super.release(claim);
                                super.claim(claim);
                            }
                        }
                        return held;
                    });
                }
            };
        }
    },

    NEVER_EXPIRES {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return super.claim(claim.withLease(Duration.ofDays(365)));
                }
            };
        }
    },

    EXPIRES_EARLY {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return super.claim(claim.withLease(claim.lease().dividedBy(2)));
                }
            };
        }
    },

    NEVER_NOTIFIES {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public Subscription watch(Resource resource, Runnable changed) {
                    changed.run();
                    return () -> {};
                }
            };
        }
    },

    CONFUSES_NAMES {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                private Claim folded(Claim claim) {
                    return new Claim(
                            claim.name().toLowerCase(Locale.ROOT),
                            claim.id(),
                            claim.mode(),
                            claim.lease(),
                            claim.holds(),
                            claim.tokens(),
                            claim.owner());
                }

                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return super.claim(folded(claim));
                }

                @Override
                public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
                    return super.renew(claims.stream().map(this::folded).toList());
                }

                @Override
                public CompletionStage<ReleaseResult> release(Claim claim) {
                    return super.release(folded(claim));
                }

                @Override
                public CompletionStage<LockState> inspect(Resource resource) {
                    return super.inspect(
                            new Resource(resource.type(), resource.name().toLowerCase(Locale.ROOT)));
                }
            };
        }
    },

    SERVES_IN_REVERSE {
        /** The last claim is first: earlier claims go behind it. */
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return super.claim(claim).thenApply(outcome -> {
                        List<Claim> line = QUEUED.computeIfAbsent(claim.name(), name -> new CopyOnWriteArrayList<>());
                        if (waits(claim, outcome) && line.stream().noneMatch(one -> isSame(one, claim))) {
                            line.forEach(super::release);
                            line.forEach(super::claim);
                            line.add(0, claim);
                        } else if (!waits(claim, outcome)) {
                            line.removeIf(one -> isSame(one, claim));
                        }
                        return outcome;
                    });
                }
            };
        }
    },

    KEEPS_DEAD_PLACES {
        /** Any claim extends all tickets that ever were. */
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    List<Claim> line = QUEUED.computeIfAbsent(claim.name(), name -> new CopyOnWriteArrayList<>());
                    super.renew(line);
                    return super.claim(claim).thenApply(outcome -> {
                        if (waits(claim, outcome)) {
                            line.add(claim);
                        }
                        return outcome;
                    });
                }

                @Override
                public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
                    claims.forEach(claim -> super.renew(QUEUED.getOrDefault(claim.name(), List.of())));
                    return super.renew(claims);
                }
            };
        }
    },

    FORCES_WHATEVER_HOLDS {
        /** The token of a forced release is not compared. */
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
                    return super.forceRelease(resource, OptionalLong.empty());
                }
            };
        }
    },

    RAISES_NO_TOKEN {
        /** Says that it has raised the tokens, and has not. */
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<Void> raiseTokens(long above) {
                    return completedFuture(null);
                }
            };
        }
    },

    CALLS_NOBODY {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public Subscription subscribe(String client, ClaimListener called) {
                    return () -> {};
                }

                @Override
                public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
                    return super.renew(claims).thenApply(statuses -> {
                        statuses.replaceAll(
                                (id, status) -> status == ClaimStatus.TURN_REACHED ? ClaimStatus.WAITING : status);
                        return statuses;
                    });
                }
            };
        }
    },

    CALLS_EVERYBODY {
        /** A release calls all claims that wait, not only the one whose turn it is. */
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                private final Map<String, String> waiting = new ConcurrentHashMap<>();
                private volatile Consumer<String> turnReached = claimId -> {};

                @Override
                public Subscription subscribe(String client, ClaimListener listener) {
                    turnReached = listener::turnReached;
                    return super.subscribe(client, listener);
                }

                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return super.claim(claim).thenApply(outcome -> {
                        String name = claim.name();
                        if (waits(claim, outcome) && waiting.put(name, claim.id()) == null) {
                            super.watch(claim.resource(), () -> turnReached.accept(waiting.getOrDefault(name, "")));
                        }
                        return outcome;
                    });
                }
            };
        }
    },

    MISTAKES_PLACES {
        /** A grant by a call names another place than the claim had. */
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public Subscription subscribe(String client, ClaimListener called) {
                    return super.subscribe(client, new ForwardingListener(called) {
                        @Override
                        public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
                            super.granted(claimId, ticket + 1, grant);
                        }
                    });
                }
            };
        }
    },

    LETS_READERS_TO_WRITERS {
        /** A shared claim is compatible with every holder. */
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return claim.mode() != Mode.SHARED
                            ? super.claim(claim)
                            : super.inspect(Resource.lock(claim.name()))
                                    .thenCompose(state -> super.claim(claim.withOptions(claim.options()
                                            .withCompatible(
                                                    state.isLocked()
                                                            ? state.holders()
                                                                    .get(0)
                                                                    .claimId()
                                                            : null))));
                }
            };
        }
    },

    HAS_ONE_LEASE_FOR_ALL {
        /** A renewal extends the other claims of the name as well. */
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    QUEUED.computeIfAbsent(claim.name(), name -> new CopyOnWriteArrayList<>())
                            .add(claim.withLease(Duration.ofDays(1)));
                    return super.claim(claim);
                }

                @Override
                public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
                    claims.forEach(claim -> super.renew(QUEUED.getOrDefault(claim.name(), List.of())));
                    return super.renew(claims);
                }
            };
        }
    },

    HAS_ONE_PERMIT_MORE {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return claim.type() == ResourceType.SEMAPHORE
                            ? super.addPermits(claim.name(), "one more", 1, claim.capacity())
                                    .thenCompose(permits -> super.claim(claim))
                            : super.claim(claim);
                }
            };
        }
    },

    ADDS_PERMITS_AGAIN {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
                    return super.addPermits(name, id + REPEATED.incrementAndGet(), by, capacity);
                }
            };
        }
    },

    COUNTS_DOWN_AGAIN {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                protected LatchStore latches() {
                    return new ForwardingLatches(super.latches()) {
                        @Override
                        public CompletionStage<LatchState> countDown(String name, String id) {
                            return super.countDown(name, id + REPEATED.incrementAndGet());
                        }
                    };
                }
            };
        }
    };

    /** Claims by name, for faults that know more than a store that passes them on. */
    private static final Map<String, List<Claim>> QUEUED = new ConcurrentHashMap<>();

    /** Makes an id another one each time, whichever client sends it. */
    private static final AtomicLong REPEATED = new AtomicLong();

    abstract LockStore in(LockStore store);

    private static boolean waits(Claim claim, ClaimResult outcome) {
        return outcome instanceof ClaimResult.Busy && claim.policy().queues();
    }

    private static boolean isSame(Claim one, Claim other) {
        return one.id().equals(other.id());
    }

    private static Map<String, ClaimStatus> allHeld(List<Claim> claims) {
        return claims.stream().collect(Collectors.toMap(Claim::id, claim -> ClaimStatus.HELD));
    }
}
