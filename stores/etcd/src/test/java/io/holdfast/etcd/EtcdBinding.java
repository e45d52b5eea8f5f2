package io.holdfast.etcd;

import io.holdfast.tck.StoreBinding;
import java.util.List;

/** One etcd, which all suites share. */
interface EtcdBinding extends StoreBinding {

    @Override
    default String uri() {
        return "etcd://" + SharedEtcd.address() + "/tck";
    }

    @Override
    default List<String> oddNames() {
        return List.of("lock/", "/", "//a", "floor", "sweeper", "beat/a", "a\u001f", "\uffff", "\ud83d\ude00");
    }

    @Override
    default List<String> wrongUris() {
        return List.of(
                "etcd:",
                "etcd://",
                "etcd:host",
                "etcd://host,",
                "etcd://host:0",
                "etcd://host:",
                "etcd://host?timeout=1h",
                "etcd://host?timeout=1ms",
                "etcd://host?ca=ca.pem",
                "etcds://host?cert=cert.pem",
                "etcds://host?ca=/no/such/file",
                "etcd://:" + PASSWORD + "@host",
                "etcd://" + PASSWORD + "@host",
                "etcd://user:" + PASSWORD + "@",
                "etcd://user:" + PASSWORD + "@host:port",
                "etcd://user:12/" + PASSWORD + "@host",
                "etcd://user:" + PASSWORD + "@host:99999",
                "etcd://user:" + PASSWORD + "@ho st",
                "etcd://user:" + PASSWORD + "@host#x",
                "etcd://user:" + PASSWORD + "@host?what=this",
                "etcd://user:" + PASSWORD + "%@host");
    }

    @Override
    default List<String> secretUris() {
        return List.of(
                "etcd://user:" + PASSWORD + "@127.0.0.1:1",
                "etcd://user:" + PASSWORD + "@127.0.0.1:1,127.0.0.1:2/prefix?timeout=1s");
    }
}
