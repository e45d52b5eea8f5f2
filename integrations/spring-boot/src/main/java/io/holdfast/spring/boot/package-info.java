/** Auto-configuration of Holdfast for Spring Boot 4. Everything is set with the properties {@code holdfast.*}. */
@NullMarked
package io.holdfast.spring.boot;

import org.jspecify.annotations.NullMarked;
