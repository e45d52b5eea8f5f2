@NullMarked
package io.holdfast.reactor;

import org.jspecify.annotations.NullMarked;
