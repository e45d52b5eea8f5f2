package io.holdfast.tck.broken;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Release;
import io.holdfast.spi.Standing;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import io.holdfast.tck.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
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
                public CompletionStage<Outcome> claim(Claim claim) {
                    return completedFuture(new Outcome.Granted(tokens.addAndGet(claim.tokens())));
                }

                @Override
                public CompletionStage<Map<String, Standing>> renew(List<Claim> claims) {
                    return completedFuture(allHeld(claims));
                }

                @Override
                public CompletionStage<Release> release(Claim claim) {
                    return completedFuture(new Release(true, false));
                }
            };
        }
    },

    REUSES_TOKENS {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<Outcome> claim(Claim claim) {
                    return super.claim(claim)
                            .thenApply(
                                    outcome -> outcome instanceof Outcome.Granted ? new Outcome.Granted(42) : outcome);
                }
            };
        }
    },

    RESERVES_NO_TOKENS {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<Outcome> claim(Claim claim) {
                    return super.claim(new Claim(
                            claim.name(), claim.id(), claim.mode(), claim.lease(), claim.holds(), 1, claim.owner()));
                }
            };
        }
    },

    CLAIMS_ONCE {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                private final Set<String> seen = ConcurrentHashMap.newKeySet();

                /** The second time, even what is held already is somebody else's. */
                @Override
                public CompletionStage<Outcome> claim(Claim claim) {
                    return super.claim(claim).thenApply(outcome -> {
                        boolean granted = outcome instanceof Outcome.Granted;
                        return granted && !seen.add(claim.id()) ? new Outcome.Waiting(claim.lease()) : outcome;
                    });
                }
            };
        }
    },

    RELEASES_ANYTHING {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                /** Whoever has the lock by then. */
                @Override
                public CompletionStage<Release> release(Claim claim) {
                    return super.forceRelease(claim.kind(), claim.name()).thenApply(held -> new Release(held, false));
                }
            };
        }
    },

    RENEWS_THE_DEAD {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<Map<String, Standing>> renew(List<Claim> claims) {
                    return super.renew(claims).thenApply(held -> allHeld(claims));
                }
            };
        }
    },

    NEVER_RENEWS {
        @Override
        LockStore in(LockStore store) {
            return new ForwardingStore(store) {
                /** Says who is still there, but gives them no time. */
                @Override
                public CompletionStage<Map<String, Standing>> renew(List<Claim> claims) {
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
                public CompletionStage<Map<String, Standing>> renew(List<Claim> claims) {
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
                public CompletionStage<Outcome> claim(Claim claim) {
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
                public CompletionStage<Outcome> claim(Claim claim) {
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
                public Subscription watch(Kind kind, String name, Runnable changed) {
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
                public CompletionStage<Outcome> claim(Claim claim) {
                    return super.claim(folded(claim));
                }

                @Override
                public CompletionStage<Map<String, Standing>> renew(List<Claim> claims) {
                    return super.renew(claims.stream().map(this::folded).toList());
                }

                @Override
                public CompletionStage<Release> release(Claim claim) {
                    return super.release(folded(claim));
                }

                @Override
                public CompletionStage<LockState> inspect(Kind kind, String name) {
                    return super.inspect(kind, name.toLowerCase(Locale.ROOT));
                }
            };
        }
    };

    abstract LockStore in(LockStore store);

    private static Map<String, Standing> allHeld(List<Claim> claims) {
        return claims.stream().collect(Collectors.toMap(Claim::id, claim -> Standing.HELD));
    }
}
