package io.holdfast.hazelcast;

import io.holdfast.tck.StoreBinding;
import java.util.List;

/** One member, which all suites share. */
interface HazelcastBinding extends StoreBinding {

    @Override
    default String uri() {
        return SharedMember.uri();
    }

    @Override
    default List<String> oddNames() {
        return List.of("%", "_", "a%b", ".*", "\\E", "__key", "this", "a\nb", "\uffff");
    }

    @Override
    default List<String> wrongUris() {
        return List.of(
                "hazelcast:",
                "hazelcast://",
                "hazelcast:host",
                "hazelcast://host,",
                "hazelcast://host:0",
                "hazelcast://host:99999",
                "hazelcast://host/a/b",
                "hazelcast://host/a%20b",
                "hazelcast://host?cluster=",
                "hazelcast://host?backups=x",
                "hazelcast://host?backups=7",
                "hazelcast://host?what=this",
                "hazelcast://ho st",
                "hazelcast://host#x",
                "hazelcast://:" + PASSWORD + "@host",
                "hazelcast://user:" + PASSWORD + "@host",
                "hazelcast://user:12/" + PASSWORD + "@host",
                "hazelcast://user:" + PASSWORD + "@ho st");
    }
}
