package io.holdfast.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The JSON file")
class JsonTest {

    @Test
    @DisplayName("escapes what has to be escaped, and has no numbers that are none")
    void values() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("text", "a \"quoted\"\\\n\u0001 µ");
        map.put("list", List.of(1, 2.5, true));
        map.put("none", Double.NaN);
        map.put("empty", Map.of());
        assertThat(Json.write(map)).isEqualTo("""
                {
                  "text": "a \\"quoted\\"\\\\\\n\\u0001 µ",
                  "list": [
                    1,
                    2.5,
                    true
                  ],
                  "none": null,
                  "empty": {}
                }
                """);
    }

    @Test
    @DisplayName("has every scenario with its values and ratios")
    void report() {
        assertThat(JsonReport.write(Figures.setting(false, 0), Figures.results()))
                .contains("\"id\": \"spread\"", "\"ratioToBestPeer\"", "\"ratioToCeiling\"", "\"met\"")
                .contains("\"redisson\": \"broken: ");
    }
}
