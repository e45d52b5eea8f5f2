/** Tests of applications with locks, without a server. */
@NullMarked
package io.holdfast.spring.boot.test;

import org.jspecify.annotations.NullMarked;
