package io.holdfast.redis;

import static java.util.Map.entry;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.ResourceType;
import io.lettuce.core.RedisCommandExecutionException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Turns what Redis and Lettuce say into what Holdfast throws. A server's answer is a refusal, whose code decides
 * whether it may pass by itself; everything else means that it is not known whether the command ran.
 */
final class Errors {

    private record Rule(boolean retryable, String advice) {}

    private static final Map<String, Rule> RULES = Map.ofEntries(
            entry("NOAUTH", no("The server wants a password: put it into the URI, as in redis://user:password@host")),
            entry("WRONGPASS", no("Check the user and the password in the URI")),
            entry(
                    "NOPERM",
                    no(
                            "Give the user the rights that docs/redis.acl has for this form of URI: @scripting @hash @sortedset"
                                    + " @string @keyspace @pubsub and TIME on the keys of its locks and on holdfast:*, the channels"
                                    + " redisson_lock__channel:* and holdfast:*, and what finds the master and waits for replicas")),
            entry("DENIED", no("The server runs in protected mode: give it a password, or bind it to what it serves")),
            entry("WRONGTYPE", no("One of its keys belongs to something else: use another name, or remove the key")),
            entry("CROSSSLOT", no("The keys of one lock must be in one slot: this is a fault in Holdfast")),
            entry("OOM", yes("The server is full: raise maxmemory (letting it evict would lose locks)")),
            entry(
                    "READONLY",
                    yes("The server is a replica: a failover may be under way, or the URI is not the primary's")),
            entry("NOREPLICAS", yes("Fewer replicas are connected than min-replicas-to-write asks for")),
            entry("LOADING", yes("The server is reading its data set and will be ready by itself")),
            entry("BUSY", yes("A script that is not Holdfast's has been running for long: SCRIPT KILL ends it")),
            entry("MISCONF", yes("The server can't write its snapshot and takes no writes: see its log")),
            entry("MASTERDOWN", yes("The replica has lost its primary")),
            entry("CLUSTERDOWN", yes("A slot of the cluster has no server")),
            entry("TRYAGAIN", yes("A slot of the cluster is moving")),
            entry("MOVED", yes("The server is part of a cluster: a redis:// URI is for a single server")),
            entry("ASK", yes("The server is part of a cluster: a redis:// URI is for a single server")));

    /** What has no code of its own. */
    private static final Map<String, Rule> TEXTS = Map.of(
            "user executing the script can't", RULES.getOrDefault("NOPERM", no("")),
            "max number of clients", yes("The server has as many clients as maxclients allows"),
            "DB index is out of range", no("The server has fewer databases: check the number at the end of the URI"),
            "No such master with that name", no("Sentinel knows no such master: check ?master= in the URI"),
            "cluster support disabled",
                    no("The server is not part of a cluster: redis-cluster:// is for those that are"),
            "unknown command",
                    no(
                            "This is not what the URI says: redis-sentinel:// is for sentinels, the others are for servers"));

    private static final Rule UNKNOWN = no("Holdfast does not know this answer");

    private static final Pattern CODE = Pattern.compile("\\b(" + String.join("|", RULES.keySet()) + ")\\b");

    private final String store;

    /** @param store the store's description, for messages */
    Errors(String store) {
        this.store = store;
    }

    /** The store's description. */
    String store() {
        return store;
    }

    /** @param what what was asked for, to begin the message with: the lock's name in most cases */
    HoldfastException translate(String what, Throwable thrown) {
        RedisCommandExecutionException answer = null;
        Throwable root = thrown;
        Throwable tls = null;
        Throwable certificate = null;
        for (Throwable t = thrown; t != null && t != t.getCause(); t = t.getCause()) {
            if (t instanceof HoldfastException known) {
                return known;
            }
            if (t instanceof LinkageError e) {
                return Libraries.refused(what, e);
            }
            if (t instanceof RedisCommandExecutionException e) {
                answer = e;
            }
            if (t instanceof CertificateException || isTlsRefusal(t)) {
                certificate = t; // the innermost says most
            }
            if (t instanceof SSLException) {
                tls = t;
            }
            root = t;
        }
        if (certificate != null) {
            return refused(
                    what,
                    "TLS: " + certificate.getMessage(),
                    no("Check the certificates of both sides, and that the server's port speaks TLS as rediss://"
                            + " demands"),
                    certificate);
        }
        if (answer != null) {
            String message = String.valueOf(answer.getMessage());
            return refused(what, message, rule(message), answer);
        }
        String why = tls == null ? why(root) : "TLS: " + why(tls) + "; its port may not speak TLS";
        Throwable cause = tls == null ? root : tls;
        String message = what + ": " + store + " did not answer: " + why;
        return cause == null ? new StoreUnavailableException(message) : new StoreUnavailableException(message, cause);
    }

    /** Whether a server refused a command because it does not have it, or this user may not use it: it will not answer. */
    static boolean isUnknownHere(Throwable thrown) {
        Throwable error = Epoch.cause(thrown);
        String message = String.valueOf(error.getMessage());
        return error instanceof RedisCommandExecutionException
                && (message.startsWith("NOPERM") || message.contains("unknown command"));
    }

    /** What the other side does not like, or that it speaks something else. */
    private static boolean isTlsRefusal(Throwable error) {
        String message = String.valueOf(error.getMessage());
        return error instanceof SSLException
                && (message.contains("not an SSL/TLS record") || message.contains("fatal alert"));
    }

    /** For a key that is there but is not a lock, or not a semaphore. */
    StoreRefusedException foreign(String what, Keys keys, String why) {
        String kind = keys.kind() == ResourceType.SEMAPHORE ? "semaphore" : "lock";
        String message = switch (why) {
            case "no expiry" ->
                "its key " + keys.holders() + " is a hash that never expires, which no " + kind + " is."
                        + " Use another name; or, if it was left by a broken lock, force its release";
            case "tokens" ->
                "the record " + keys.record() + " holds a token that can't be counted on from."
                        + " Remove the record if nothing fenced by this " + kind + " compares with it";
            default ->
                "its key " + keys.holders() + " holds a " + why + " that is not a " + kind + "."
                        + " Use another name, or remove the key";
        };
        return new StoreRefusedException(what + " was refused by " + store + ": " + message + ".", false);
    }

    StoreUnavailableException closed(String what) {
        return new StoreUnavailableException(what + ": " + store + " was closed by this client");
    }

    /** The result once all are done; if one failed, its failure as it is and not wrapped. */
    static <R> CompletableFuture<R> all(List<? extends CompletableFuture<?>> futures, Supplier<R> result) {
        CompletableFuture<R> all = new CompletableFuture<>();
        CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).whenComplete((nothing, error) -> {
            if (error == null) {
                all.complete(result.get());
            } else {
                all.completeExceptionally(
                        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error);
            }
        });
        return all;
    }

    /** The first's result, or the second's if that has none; a failure as it is and not wrapped. */
    static <R> CompletableFuture<R> firstOr(
            CompletableFuture<Optional<R>> first, Supplier<CompletableFuture<R>> second) {
        CompletableFuture<R> result = new CompletableFuture<>();
        first.whenComplete((value, error) -> {
            if (error != null) {
                result.completeExceptionally(error);
            } else if (value.isPresent()) {
                result.complete(value.get());
            } else {
                second.get().whenComplete((other, failure) -> {
                    if (failure != null) {
                        result.completeExceptionally(failure);
                    } else {
                        result.complete(other);
                    }
                });
            }
        });
        return result;
    }

    private StoreRefusedException refused(String what, String answer, Rule rule, Throwable cause) {
        return new StoreRefusedException(
                what + " was refused by " + store + ": " + answer + (answer.endsWith(".") ? " " : ". ") + rule.advice
                        + ".",
                rule.retryable,
                cause);
    }

    private static Rule rule(String message) {
        // The first word is the code, unless an older server wraps a script's error into one of its own.
        Matcher code = CODE.matcher(message);
        if (code.find()) {
            return RULES.getOrDefault(code.group(1), UNKNOWN);
        }
        return TEXTS.entrySet().stream()
                .filter(text -> message.contains(text.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(UNKNOWN);
    }

    private static String why(@Nullable Throwable root) {
        if (root instanceof CancellationException) {
            return "the connection broke";
        }
        if (root instanceof TimeoutException) {
            return "no connection in time";
        }
        return root == null || root.getMessage() == null ? String.valueOf(root) : root.getMessage();
    }

    private static Rule yes(String advice) {
        return new Rule(true, advice);
    }

    private static Rule no(String advice) {
        return new Rule(false, advice);
    }
}
