package io.holdfast.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 500ms}, {@code 10s}, {@code 1.5m}, {@code 2h}, {@code 1d}; a number alone is seconds, as for sleep(1). */
final class DurationConverter implements ITypeConverter<Duration> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h|d)?");

    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    @Override
    public Duration convert(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new TypeConversionException("'" + text + "' is no duration; write 500ms, 10s, 5m, 2h or 1d");
        }
        Duration unit = UNITS.getOrDefault(parts.group(2) == null ? "s" : parts.group(2), Duration.ofSeconds(1));
        BigDecimal seconds = new BigDecimal(parts.group(1)).multiply(new BigDecimal(unit.toMillis()).movePointLeft(3));
        return Duration.ofSeconds(
                seconds.longValue(),
                seconds.remainder(BigDecimal.ONE).movePointRight(9).longValue());
    }
}
