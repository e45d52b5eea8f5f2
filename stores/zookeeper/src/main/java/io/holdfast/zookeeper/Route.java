package io.holdfast.zookeeper;

import java.net.InetSocketAddress;
import java.util.Collection;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.jspecify.annotations.Nullable;

/** The servers in the order in which a client tries them, which is at random but for one that it passes by. */
final class Route implements HostProvider {

    private final HostProvider servers;
    private final @Nullable InetSocketAddress avoided;
    private volatile @Nullable InetSocketAddress current;

    /**
     * @param servers {@code host:port,host:port}
     * @param avoided one that is not tried if there is another one
     */
    Route(String servers, @Nullable InetSocketAddress avoided) {
        this.servers = new StaticHostProvider(new ConnectStringParser(servers).getServerAddresses());
        this.avoided = avoided;
    }

    /** The one that was tried last; {@code null} before the first. */
    @Nullable
    InetSocketAddress current() {
        return current;
    }

    @Override
    public int size() {
        return servers.size();
    }

    @Override
    public InetSocketAddress next(long spinDelay) {
        InetSocketAddress next = servers.next(spinDelay);
        for (int i = 1; i < servers.size() && isAvoided(next); i++) {
            next = servers.next(spinDelay);
        }
        current = next;
        return next;
    }

    /** By what it is called: its name may have several addresses. */
    private boolean isAvoided(InetSocketAddress server) {
        return avoided != null
                && avoided.getPort() == server.getPort()
                && avoided.getHostString().equals(server.getHostString());
    }

    @Override
    public void onConnected() {
        servers.onConnected();
    }

    @Override
    public boolean updateServerList(Collection<InetSocketAddress> all, InetSocketAddress connected) {
        return servers.updateServerList(all, connected);
    }
}
