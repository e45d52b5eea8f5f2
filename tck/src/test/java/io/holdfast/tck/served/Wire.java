package io.holdfast.tck.served;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What the SPI passes on, as bytes: records, enums, collections and simple values. */
final class Wire {

    private Wire() {}

    static void write(DataOutputStream out, Object value) throws IOException {
        if (value == null) {
            out.writeByte('0');
        } else if (value instanceof String text) {
            out.writeByte('S');
            out.writeUTF(text);
        } else if (value instanceof Integer number) {
            out.writeByte('I');
            out.writeInt(number);
        } else if (value instanceof Long number) {
            out.writeByte('J');
            out.writeLong(number);
        } else if (value instanceof OptionalLong number) {
            out.writeByte('O');
            write(out, number.isPresent() ? (Long) number.getAsLong() : null);
        } else if (value instanceof Boolean bit) {
            out.writeByte('Z');
            out.writeBoolean(bit);
        } else if (value instanceof Duration duration) {
            out.writeByte('D');
            out.writeLong(duration.toNanos());
        } else if (value instanceof Instant instant) {
            out.writeByte('T');
            out.writeLong(instant.toEpochMilli());
        } else if (value instanceof Enum<?> constant) {
            out.writeByte('E');
            out.writeUTF(constant.getDeclaringClass().getName());
            out.writeUTF(constant.name());
        } else if (value instanceof List<?> list) {
            out.writeByte('L');
            out.writeInt(list.size());
            for (Object one : list) {
                write(out, one);
            }
        } else if (value instanceof Map<?, ?> map) {
            out.writeByte('M');
            write(out, List.copyOf(map.keySet()));
            write(out, List.copyOf(map.values()));
        } else {
            out.writeByte('R');
            out.writeUTF(value.getClass().getName());
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                write(out, component(value, component));
            }
        }
    }

    private static Object component(Object value, RecordComponent component) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Object read(DataInputStream in) throws IOException {
        char type = (char) in.readByte();
        return switch (type) {
            case '0' -> null;
            case 'S' -> in.readUTF();
            case 'I' -> in.readInt();
            case 'J' -> in.readLong();
            case 'O' -> read(in) instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
            case 'Z' -> in.readBoolean();
            case 'D' -> Duration.ofNanos(in.readLong());
            case 'T' -> Instant.ofEpochMilli(in.readLong());
            case 'E' -> constant(type(in), in.readUTF());
            case 'L' -> {
                List<Object> list = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    list.add(read(in));
                }
                yield list;
            }
            case 'M' -> {
                List<?> keys = (List<?>) read(in);
                List<?> values = (List<?>) read(in);
                Map<Object, Object> map = new LinkedHashMap<>();
                for (int i = 0; i < keys.size(); i++) {
                    map.put(keys.get(i), values.get(i));
                }
                yield map;
            }
            case 'R' -> record(type(in), in);
            default -> throw new IOException("a value of type " + type);
        };
    }

    private static Object constant(Class<?> type, String name) throws IOException {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IOException(type + " has no " + name);
    }

    private static Class<?> type(DataInputStream in) throws IOException {
        try {
            return Class.forName(in.readUTF());
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }

    private static Object record(Class<?> type, DataInputStream in) throws IOException {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(in);
        }
        try {
            Constructor<?> canonical = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return canonical.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IOException(e);
        }
    }
}
