package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.holdfast.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls of etcd: each with a deadline, to the member that is used now, with the token of the user. A token that has expired is renewed, and the
 * call, which was refused for it, is made again.
 */
final class Calls {

    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> HAS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    private final Members members;
    private final Credentials credentials;
    private final Errors errors;
    private final long deadlineNanos;
    private volatile @Nullable String token;
    private @Nullable CompletableFuture<String> authenticating;
    private volatile boolean closed;

    Calls(Members members, Credentials credentials, Errors errors, Duration timeout) {
        this.members = members;
        this.credentials = credentials;
        this.errors = errors;
        // With several members there has to be time for another one.
        this.deadlineNanos = timeout.toNanos() / (members.number() > 1 ? 2 : 1);
    }

    <Q, A> CompletableFuture<A> call(MethodDescriptor<Q, A> method, Q request) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        authorized().whenComplete((used, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(Errors.cause(failure));
            } else {
                attempt(method, request, used, true, answer);
            }
        });
        return answer;
    }

    private <Q, A> void attempt(
            MethodDescriptor<Q, A> method, Q request, String used, boolean first, CompletableFuture<A> answer) {
        send(method, request, used).whenComplete((result, failure) -> {
            if (failure == null) {
                answer.complete(result);
            } else if (first && credentials.exist() && Errors.isUnauthenticated(Errors.cause(failure))) {
                forget(used);
                authorized().whenComplete((renewed, refused) -> {
                    if (refused != null) {
                        answer.completeExceptionally(Errors.cause(refused));
                    } else {
                        attempt(method, request, renewed, false, answer);
                    }
                });
            } else {
                answer.completeExceptionally(errors.translate(Errors.cause(failure)));
            }
        });
    }

    private <Q, A> CompletableFuture<A> send(MethodDescriptor<Q, A> method, Q request, String used) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        if (closed) {
            answer.completeExceptionally(new StoreUnavailableException(errors.description() + " was closed"));
            return answer;
        }
        int member = members.current();
        ManagedChannel channel = members.channel(member);
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(deadlineNanos, TimeUnit.NANOSECONDS);
        ClientCall<Q, A> call = ClientInterceptors.intercept(
                        channel, MetadataUtils.newAttachHeadersInterceptor(headers(used, false)))
                .newCall(method, options);
        ClientCalls.asyncUnaryCall(call, request, new StreamObserver<>() {
            private @Nullable A last;

            @Override
            public void onNext(A value) {
                last = value;
            }

            @Override
            public void onError(Throwable failure) {
                if (Errors.isOfMember(failure)) {
                    members.failed(member);
                    // A connection that could not be made is tried again with the next command, and not ever more
                    // rarely.
                    channel.resetConnectBackoff();
                }
                answer.completeExceptionally(failure);
            }

            @Override
            public void onCompleted() {
                A value = last;
                if (value == null) {
                    answer.completeExceptionally(
                            new StatusRuntimeException(Status.INTERNAL.withDescription("no answer in the answer")));
                } else {
                    answer.complete(value);
                }
            }
        });
        return answer;
    }

    /** A stream to that member, without a deadline; etcd ends it when the member has no leader. */
    <Q, A> StreamObserver<Q> stream(MethodDescriptor<Q, A> method, int member, String used, StreamObserver<A> answers) {
        return ClientCalls.asyncBidiStreamingCall(
                ClientInterceptors.intercept(
                                members.channel(member), MetadataUtils.newAttachHeadersInterceptor(headers(used, true)))
                        .newCall(method, CallOptions.DEFAULT),
                answers);
    }

    private static Metadata headers(String used, boolean leader) {
        Metadata headers = new Metadata();
        if (!used.isEmpty()) {
            headers.put(TOKEN, used);
        }
        if (leader) {
            headers.put(HAS_LEADER, "true");
        }
        return headers;
    }

    // ---- the user ------------------------------------------------------------------------------------------------

    /** The token, or an empty text where there is no user. */
    CompletableFuture<String> authorized() {
        String known = token;
        if (!credentials.exist() || known != null) {
            return CompletableFuture.completedFuture(known == null ? "" : known);
        }
        CompletableFuture<String> begun;
        synchronized (this) {
            if (authenticating != null) {
                return authenticating;
            }
            begun = new CompletableFuture<>();
            authenticating = begun;
        }
        AuthenticateRequest request = AuthenticateRequest.newBuilder()
                .setNameBytes(ByteString.copyFromUtf8(String.valueOf(credentials.user())))
                .setPasswordBytes(ByteString.copyFromUtf8(String.valueOf(credentials.password())))
                .build();
        send(AuthGrpc.getAuthenticateMethod(), request, "")
                .thenApply(AuthenticateResponse::getToken)
                .whenComplete((made, failure) -> {
                    synchronized (this) {
                        authenticating = null;
                        token = made;
                    }
                    if (failure != null) {
                        begun.completeExceptionally(errors.translate(Errors.cause(failure)));
                    } else {
                        begun.complete(made);
                    }
                });
        return begun;
    }

    private synchronized void forget(String used) {
        if (used.equals(token)) {
            token = null;
        }
    }

    void close() {
        closed = true;
    }
}
