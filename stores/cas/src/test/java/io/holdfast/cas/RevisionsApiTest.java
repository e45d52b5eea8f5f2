package io.holdfast.cas;

import io.holdfast.tck.ApiMatrix;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@DisplayName("The API, on the kernel on a register with revisions")
@Tag("full")
class RevisionsApiTest extends ApiMatrix implements RevisionsBinding {}
