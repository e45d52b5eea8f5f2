package io.holdfast.spring.boot.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Gives the context the properties of {@link HoldfastTest}. */
final class HoldfastTestContextBootstrapper extends TestSliceTestContextBootstrapper<HoldfastTest> {}
