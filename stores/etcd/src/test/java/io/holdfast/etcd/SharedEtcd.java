package io.holdfast.etcd;

/** One server for all suites of this module, stopped with the JVM. */
final class SharedEtcd {

    private static EtcdServer server;

    private SharedEtcd() {}

    static synchronized String address() {
        if (server == null) {
            EtcdServer.program();
            EtcdServer started = EtcdServer.single();
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            server = started;
        }
        return "127.0.0.1:" + server.port;
    }
}
