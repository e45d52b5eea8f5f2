package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One statement, with parameters that have names: {@code :name} is one value, however often it occurs, and
 * {@code :names...} a list of them.
 */
final class Sql {

    private static final Pattern PARAMETER = Pattern.compile(":([a-z_]+)(\\.\\.\\.)?");

    private record Piece(String before, String parameter, boolean isList) {}

    private final List<Piece> pieces = new ArrayList<>();
    private final String end;

    /** For a single value of each parameter, which most statements have: made once. */
    private final Text single;

    /**
     * What is prepared.
     *
     * @param parameters the name of each question mark
     */
    private record Text(String text, List<String> parameters) {}

    Sql(String text) {
        Matcher parameter = PARAMETER.matcher(text);
        int from = 0;
        while (parameter.find()) {
            pieces.add(
                    new Piece(text.substring(from, parameter.start()), parameter.group(1), parameter.group(2) != null));
            from = parameter.end();
        }
        this.end = text.substring(from);
        this.single = text(1);
    }

    /** Prepares it for a single value of each parameter. */
    Bound on(Connection connection) throws SQLException {
        return on(connection, 1, Statement.NO_GENERATED_KEYS);
    }

    /** @param listed how many values its list has */
    Bound on(Connection connection, int listed) throws SQLException {
        return on(connection, listed, Statement.NO_GENERATED_KEYS);
    }

    Bound withKeyOn(Connection connection) throws SQLException {
        return on(connection, 1, Statement.RETURN_GENERATED_KEYS);
    }

    private Bound on(Connection connection, int listed, int keys) throws SQLException {
        int room = room(listed);
        Text text = room == 1 ? single : text(room);
        // The plain form where no key is asked for: some drivers and proxies take a longer way with the other.
        return new Bound(
                keys == Statement.NO_GENERATED_KEYS
                        ? connection.prepareStatement(text.text)
                        : connection.prepareStatement(text.text, keys),
                text.parameters,
                room);
    }

    private Text text(int room) {
        StringBuilder text = new StringBuilder();
        List<String> parameters = new ArrayList<>();
        for (Piece piece : pieces) {
            text.append(piece.before);
            int values = piece.isList ? room : 1;
            for (int i = 0; i < values; i++) {
                text.append(i == 0 ? "?" : ", ?");
                parameters.add(piece.parameter);
            }
        }
        return new Text(text.append(end).toString(), parameters);
    }

    /** Lists come in few lengths, so that databases and drivers that remember statements have few to remember. */
    private static int room(int listed) {
        return listed <= 1 ? 1 : Integer.highestOneBit(listed - 1) << 1;
    }
}
