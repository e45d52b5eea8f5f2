package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.ManagedChannel;
import io.holdfast.Guarantee;
import io.holdfast.cas.CasResult;
import io.holdfast.cas.Entry;
import io.holdfast.cas.Register;
import io.holdfast.cas.RegisterListener;
import io.holdfast.cas.Signal;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * etcd as a register: a compare-and-set is one transaction, which reads what is there instead when it does not apply. Versions are the
 * revisions of etcd.
 */
final class EtcdRegister implements Register {

    /** etcd takes 128 operations in one transaction. */
    private static final int MOST_SIGNALS = 100;

    private final Members members;
    private final Calls calls;
    private final Watches watches;
    private final String description;
    private final String prefix;

    EtcdRegister(
            List<ManagedChannel> channels,
            boolean owned,
            String description,
            String prefix,
            Duration timeout,
            Credentials credentials) {
        this.members = new Members(channels, owned);
        this.description = description;
        this.prefix = prefix;
        this.calls = new Calls(members, credentials, new Errors(description), timeout);
        this.watches = new Watches(calls, members);
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Guarantee guarantee() {
        return Guarantee.CONSENSUS;
    }

    @Override
    public boolean hasRevisions() {
        return true;
    }

    private ByteString key(String key) {
        return ByteString.copyFromUtf8(prefix + key);
    }

    // ---- reading -------------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<Optional<Entry>> get(String key) {
        return calls.call(
                        KVGrpc.getRangeMethod(),
                        RangeRequest.newBuilder().setKey(key(key)).build())
                .thenApply(range -> Optional.ofNullable(first(range)));
    }

    @Override
    public CompletionStage<List<Listed>> list(String prefix, String after, int limit) {
        ByteString begin = key(prefix);
        ByteString from = after.isEmpty() ? begin : key(after).concat(ByteString.copyFrom(new byte[1]));
        RangeRequest request = RangeRequest.newBuilder()
                .setKey(from)
                .setRangeEnd(end(begin))
                .setLimit(limit)
                .build();
        int skip = this.prefix.length();
        return calls.call(KVGrpc.getRangeMethod(), request).thenApply(range -> {
            List<Listed> page = new ArrayList<>();
            for (KeyValue one : range.getKvsList()) {
                page.add(new Listed(one.getKey().toStringUtf8().substring(skip), entry(one)));
            }
            return page;
        });
    }

    /** The first key behind all that begin with it: no text in UTF-8 has a byte of 0xFF. */
    private static ByteString end(ByteString begin) {
        return begin.concat(ByteString.copyFrom(new byte[] {(byte) 0xFF}));
    }

    private static @Nullable Entry first(RangeResponse range) {
        return range.getKvsCount() == 0 ? null : entry(range.getKvs(0));
    }

    static Entry entry(KeyValue one) {
        return new Entry(one.getValue().toByteArray(), one.getModRevision());
    }

    // ---- writing -------------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<CasResult> cas(String key, @Nullable Entry expected, byte[] value, List<Signal> signals) {
        TxnRequest.Builder txn = TxnRequest.newBuilder()
                .addCompare(has(key, expected))
                .addSuccess(put(key, value))
                .addFailure(range(key));
        signals.stream().limit(MOST_SIGNALS).forEach(signal -> txn.addSuccess(put(signal.key(), signal.value())));
        CompletableFuture<CasResult> written = transact(txn.build(), value);
        if (signals.size() > MOST_SIGNALS) {
            written.thenAccept(result -> {
                if (result.applied()) {
                    put(signals.subList(MOST_SIGNALS, signals.size()));
                }
            });
        }
        return written;
    }

    private void put(List<Signal> signals) {
        for (int i = 0; i < signals.size(); i += MOST_SIGNALS) {
            TxnRequest.Builder txn = TxnRequest.newBuilder();
            signals.subList(i, Math.min(signals.size(), i + MOST_SIGNALS))
                    .forEach(signal -> txn.addSuccess(put(signal.key(), signal.value())));
            calls.call(KVGrpc.getTxnMethod(), txn.build());
        }
    }

    @Override
    public CompletionStage<CasResult> create(String key, byte[] value, String guard, @Nullable Entry guarded) {
        return transact(
                TxnRequest.newBuilder()
                        .addCompare(has(key, null))
                        .addCompare(has(guard, guarded))
                        .addSuccess(put(key, value))
                        .addFailure(range(key))
                        .build(),
                value);
    }

    @Override
    public CompletionStage<CasResult> delete(String key, Entry expected) {
        return transact(
                TxnRequest.newBuilder()
                        .addCompare(has(key, expected))
                        .addSuccess(RequestOp.newBuilder()
                                .setRequestDeleteRange(
                                        DeleteRangeRequest.newBuilder().setKey(key(key))))
                        .addFailure(range(key))
                        .build(),
                null);
    }

    private CompletableFuture<CasResult> transact(TxnRequest txn, byte @Nullable [] value) {
        return calls.call(KVGrpc.getTxnMethod(), txn).thenApply(answer -> result(answer, value));
    }

    private static CasResult result(TxnResponse answer, byte @Nullable [] value) {
        if (!answer.getSucceeded()) {
            return new CasResult(false, first(answer.getResponses(0).getResponseRange()));
        }
        return new CasResult(
                true, value == null ? null : new Entry(value, answer.getHeader().getRevision()));
    }

    /** A key that is absent has the creation revision 0; one that was deleted and made again has another modification revision. */
    private Compare has(String key, @Nullable Entry expected) {
        Compare.Builder compare = Compare.newBuilder().setKey(key(key)).setResult(Compare.CompareResult.EQUAL);
        return expected == null
                ? compare.setTarget(Compare.CompareTarget.CREATE)
                        .setCreateRevision(0)
                        .build()
                : compare.setTarget(Compare.CompareTarget.MOD)
                        .setModRevision(expected.version())
                        .build();
    }

    private RequestOp put(String key, byte[] value) {
        return RequestOp.newBuilder()
                .setRequestPut(PutRequest.newBuilder().setKey(key(key)).setValue(ByteString.copyFrom(value)))
                .build();
    }

    private RequestOp range(String key) {
        return RequestOp.newBuilder()
                .setRequestRange(RangeRequest.newBuilder().setKey(key(key)))
                .build();
    }

    // ---- watching ------------------------------------------------------------------------------------------------

    @Override
    public Subscription watch(String key, RegisterListener listener) {
        return watches.add(key(key), listener);
    }

    @Override
    public void close() {
        calls.close();
        watches.close();
        members.close();
    }
}
