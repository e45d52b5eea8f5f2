package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Messages;
import io.holdfast.spi.Owner;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is kept of an owner")
class OwnerRecordTest {

    @Test
    @DisplayName("has a line for each part, whatever characters they are made of")
    void lines() {
        for (char c = 0; c < Character.MAX_VALUE; c++) {
            String odd = "a" + c + "b";
            String shown = Messages.line(odd);
            assertThat(shown).doesNotContainPattern("[\\p{Cntrl}\u0085\u2028\u2029]");
            assertThat(OwnerRecord.lines(new Owner(odd, "host", 42, odd + c)))
                    .isEqualTo(shown + "\nhost\n42\n" + shown + shown.charAt(1));
        }
    }

    @Test
    @DisplayName("is read as it was written")
    void parsed() {
        Owner owner = new Owner("client", "a host", 42, "");
        OwnerRecord record = OwnerRecord.parse("17 16 1700000000000001 id:1\n" + OwnerRecord.lines(owner));
        assertThat(record).isNotNull();
        assertThat(record.owner()).isEqualTo(owner);
        assertThat(record.claimId()).isEqualTo("id:1");
        assertThat(record.first()).isEqualTo(16);
    }
}
