package io.holdfast.quorum;

import io.holdfast.quorum.FaultyNode.Fault;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code faulty-quorum:name}: five nodes in memory, of which one is slow; {@code
 * lame-quorum:name}: five of which two are down.
 */
public final class FaultyQuorumProvider implements LockStoreProvider {

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("faulty-quorum") || scheme.equals("lame-quorum");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        boolean lame = uri.startsWith("lame");
        String name = uri.substring(uri.indexOf(':') + 1);
        List<LockStore> nodes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Fault fault = lame && i % 3 == 0 ? Fault.DOWN : !lame && i == 3 ? Fault.SLOW : Fault.NONE;
            nodes.add(new FaultyNode(name + "-" + i).with(fault));
        }
        return QuorumStore.of(nodes);
    }
}
