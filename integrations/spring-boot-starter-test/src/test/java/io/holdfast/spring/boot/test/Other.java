package io.holdfast.spring.boot.test;

import org.springframework.stereotype.Component;

/** Something that a slice leaves out. */
@Component
class Other {}
