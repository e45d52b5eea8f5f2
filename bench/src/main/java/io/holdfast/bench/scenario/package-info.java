/** What is measured, one class for each kind of question. */
@NullMarked
package io.holdfast.bench.scenario;

import org.jspecify.annotations.NullMarked;
