/** What is made of the numbers: medians, ratios, the table, the JSON file and the page. */
@NullMarked
package io.holdfast.bench.report;

import org.jspecify.annotations.NullMarked;
