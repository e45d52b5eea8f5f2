package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptCallTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "orders:42", "naïve", "锁 🔒", "line\r\n$3\r\n", "0123456789"})
    @DisplayName("A script is called with the bytes that Lettuce would send")
    void sameAsLettuce(String text) {
        for (int times : new int[] {1, 10, 100, 1_000}) {
            String[] keys = {text.repeat(times), "holdfast:lock:{" + text + "}"};
            String[] args = {text, "30000", text.repeat(times), ""};
            CommandArgs<String, String> usual = new CommandArgs<>(StringCodec.UTF8)
                    .add(Script.CLAIM.digest())
                    .add(keys.length)
                    .addKeys(keys)
                    .addValues(args);
            CommandArgs<String, String> call = new ScriptCall(Script.CLAIM, keys, args);
            assertEquals(usual.count(), call.count());
            assertEquals(encoded(usual), encoded(call));
        }
    }

    private static String encoded(CommandArgs<String, String> args) {
        ByteBuf buffer = Unpooled.buffer();
        args.encode(buffer);
        return buffer.toString(StandardCharsets.UTF_8);
    }
}
