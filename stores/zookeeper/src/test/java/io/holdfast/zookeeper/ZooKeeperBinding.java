package io.holdfast.zookeeper;

import io.holdfast.tck.StoreBinding;
import java.util.List;

/** One ZooKeeper server, which all suites share. */
interface ZooKeeperBinding extends StoreBinding {

    @Override
    default String uri() {
        return "zookeeper://" + SharedServer.address() + "/tck";
    }

    @Override
    default List<String> oddNames() {
        return List.of(
                "zookeeper",
                "/zookeeper",
                "h~e~1~1~0~a~",
                "c~5~0",
                "%2E",
                "%2e",
                "lock",
                "a~b",
                "\u001f",
                "\u009f",
                "\ue000",
                "\ufff0");
    }

    @Override
    default List<String> wrongUris() {
        return List.of(
                "zookeeper:",
                "zookeeper://",
                "zookeeper:host",
                "zookeeper://host,",
                "zookeeper://host:0",
                "zookeeper://host//a",
                "zookeeper://host/a/../b",
                "zookeeper://host/zookeeper",
                "zookeeper://host/zookeeper/a",
                "zookeeper://host?session=10",
                "zookeeper://host?session=1ms",
                "zookeeper://:" + PASSWORD + "@host",
                "zookeeper://" + PASSWORD + "@host",
                "zookeeper://user:" + PASSWORD + "@",
                "zookeeper://user:" + PASSWORD + "@host:port",
                "zookeeper://user:12/" + PASSWORD + "@host",
                "zookeeper://user:" + PASSWORD + "@host:99999",
                "zookeeper://user:" + PASSWORD + "@ho st",
                "zookeeper://user:" + PASSWORD + "@host#x",
                "zookeeper://user:" + PASSWORD + "@host?what=this",
                "zookeeper://user:" + PASSWORD + "%@host");
    }

    @Override
    default List<String> secretUris() {
        return List.of(
                "zookeeper://user:" + PASSWORD + "@127.0.0.1:1",
                "zookeeper://user:" + PASSWORD + "@127.0.0.1:1,127.0.0.1:2/chroot?session=5s");
    }
}
