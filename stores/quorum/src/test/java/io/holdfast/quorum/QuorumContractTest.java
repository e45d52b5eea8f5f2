package io.holdfast.quorum;

import io.holdfast.tck.StoreSuite;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A quorum of five, of which one is slow,")
class QuorumContractTest extends StoreSuite {

    @Override
    public String uri() {
        return "faulty-quorum:contract";
    }
}
