package io.holdfast.spring.boot;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spring.boot.HoldfastProperties.StoreType;
import io.holdfast.zookeeper.ZooKeeperStore;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** A store on the sessions of the application's Curator. */
final class ZooKeeperStoreCandidate implements StoreCandidate {

    private final CuratorFramework curator;
    private final String root;
    private final List<ACL> acl;

    ZooKeeperStoreCandidate(CuratorFramework curator, String root, List<ACL> acl) {
        this.curator = curator;
        this.root = root;
        this.acl = acl;
    }

    @Override
    public StoreType type() {
        return StoreType.ZOOKEEPER;
    }

    @Override
    public String origin() {
        return "the CuratorFramework";
    }

    @Override
    public LockStore open(StoreConfig config) {
        if (curator.getState() == CuratorFrameworkState.LATENT) {
            throw new IllegalStateException("the CuratorFramework is not started; start it in its bean method"
                    + " (@Bean(initMethod = \"start\"))");
        }
        return ZooKeeperStore.using(this::session, root, acl);
    }

    /** Curator replaces a client whose session has ended. */
    private ZooKeeper session() {
        try {
            return curator.getZookeeperClient().getZooKeeper();
        } catch (Exception e) {
            throw new IllegalStateException("Curator has no ZooKeeper client: " + e.getMessage(), e);
        }
    }
}
