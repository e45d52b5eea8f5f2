/** The demo: several worker processes, one of which is killed and one paused. */
module io.holdfast.demo {
    requires embedded.redis;
    requires io.holdfast;
    requires io.holdfast.redis;
    requires static org.jspecify;
}
