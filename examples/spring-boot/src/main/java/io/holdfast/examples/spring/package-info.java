/**
 * A box office on Spring Boot. Begin with {@link io.holdfast.examples.spring.BoxOffice}; {@link io.holdfast.examples.spring.Example}
 * starts two instances of it.
 */
@NullMarked
package io.holdfast.examples.spring;

import org.jspecify.annotations.NullMarked;
