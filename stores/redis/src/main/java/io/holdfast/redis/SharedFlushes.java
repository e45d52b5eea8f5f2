package io.holdfast.redis;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Lets commands that many threads send at the same time go out with one system call, which is what a command costs most on
 * this side; one that is alone waits for nothing.
 */
final class SharedFlushes implements NettyCustomizer {

    private static final int AT_MOST = 256;

    @Override
    public void afterChannelInitialized(Channel channel) {
        channel.pipeline().addFirst(new FlushConsolidationHandler(AT_MOST, true));
    }
}
