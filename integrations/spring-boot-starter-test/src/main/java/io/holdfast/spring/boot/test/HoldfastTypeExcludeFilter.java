package io.holdfast.spring.boot.test;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Boot makes it, with the class of the test. */
final class HoldfastTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<HoldfastTest> {

    HoldfastTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
    }
}
