package io.holdfast.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A prepared statement whose parameters are set by their names. */
final class Bound implements AutoCloseable {

    private final PreparedStatement statement;
    private final List<String> parameters;
    private final int room;

    /**
     * @param parameters the name of each question mark
     * @param room how many question marks a list has
     */
    Bound(PreparedStatement statement, List<String> parameters, int room) {
        this.statement = statement;
        this.parameters = parameters;
        this.room = room;
    }

    private interface Setter {
        void set(int index) throws SQLException;
    }

    private Bound each(String parameter, Setter setter) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).equals(parameter)) {
                setter.set(i + 1);
            }
        }
        return this;
    }

    Bound set(String parameter, long value) throws SQLException {
        return each(parameter, i -> statement.setLong(i, value));
    }

    Bound set(String parameter, int value) throws SQLException {
        return each(parameter, i -> statement.setInt(i, value));
    }

    Bound set(String parameter, @Nullable String value) throws SQLException {
        return each(parameter, i -> {
            if (value == null) {
                statement.setNull(i, Types.VARCHAR);
            } else {
                statement.setString(i, value);
            }
        });
    }

    Bound set(String parameter, byte @Nullable [] value) throws SQLException {
        return each(parameter, i -> {
            if (value == null) {
                statement.setNull(i, Types.VARBINARY);
            } else {
                statement.setBytes(i, value);
            }
        });
    }

    /** Sets an array, of a type of the database. */
    Bound set(String parameter, String type, Object[] values) throws SQLException {
        return each(
                parameter, i -> statement.setArray(i, statement.getConnection().createArrayOf(type, values)));
    }

    /** Sets a list of bytes; the room that it leaves is filled with its last value. */
    Bound setNames(String parameter, List<byte[]> values) throws SQLException {
        return eachOf(parameter, values, statement::setBytes);
    }

    /** Sets a list of strings, as {@link #setNames} does. */
    Bound setTexts(String parameter, List<String> values) throws SQLException {
        return eachOf(parameter, values, statement::setString);
    }

    private interface ListSetter<T> {
        void set(int index, T value) throws SQLException;
    }

    private <T> Bound eachOf(String parameter, List<T> values, ListSetter<T> setter) throws SQLException {
        int next = 0;
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).equals(parameter)) {
                setter.set(i + 1, values.get(Math.min(next++ % room, values.size() - 1)));
            }
        }
        return this;
    }

    Bound batch() throws SQLException {
        statement.addBatch();
        return this;
    }

    int[] runBatch() throws SQLException {
        return statement.executeBatch();
    }

    int update() throws SQLException {
        return statement.executeUpdate();
    }

    /** The key that the last update answered with, or -1 if it gave none. */
    long key() throws SQLException {
        try (ResultSet keys = statement.getGeneratedKeys()) {
            return keys.next() ? keys.getLong(1) : -1;
        }
    }

    ResultSet query() throws SQLException {
        return statement.executeQuery();
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
