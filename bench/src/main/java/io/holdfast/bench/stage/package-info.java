/** Where it is played: the Redis server, the child processes, and what the server says of itself. */
@NullMarked
package io.holdfast.bench.stage;

import org.jspecify.annotations.NullMarked;
