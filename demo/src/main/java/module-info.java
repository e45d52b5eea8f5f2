/** The demo: several worker processes that race, share and queue, two of which are killed and one is paused. */
module io.holdfast.demo {
    requires embedded.redis;
    requires io.holdfast;
    requires io.holdfast.redis;
    requires static org.jspecify;
}
