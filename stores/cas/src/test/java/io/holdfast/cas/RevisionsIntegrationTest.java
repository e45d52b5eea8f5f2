package io.holdfast.cas;

import io.holdfast.tck.StoreIntegration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("short")
@DisplayName("The kernel on a register with revisions")
class RevisionsIntegrationTest extends StoreIntegration implements RevisionsBinding {}
