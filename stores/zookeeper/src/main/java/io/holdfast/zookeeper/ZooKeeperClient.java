package io.holdfast.zookeeper;

import org.apache.zookeeper.ZooKeeper;

/** A client of ZooKeeper, which is told what goes by it: by that it knows whether it gets through. */
interface ZooKeeperClient {

    ZooKeeper zooKeeper();

    /** A request is about to be sent. */
    default void asked() {}

    /**
     * It has been answered, or has failed.
     *
     * @param rc as its callback was told
     */
    default void answered(int rc) {}
}
