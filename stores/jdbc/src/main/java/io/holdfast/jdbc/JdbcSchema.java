package io.holdfast.jdbc;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The tables that locks are kept in, for those who make them themselves. A store makes them on its own when they are
 * missing and its user may.
 */
public final class JdbcSchema {

    private JdbcSchema() {}

    /** The script that makes the tables, comments included; it may be run again. */
    public static String script(Database database) {
        try (InputStream file =
                JdbcSchema.class.getResourceAsStream(database.dialect().schemaFile())) {
            if (file == null) {
                throw new IllegalStateException("no script for " + database);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Looks whether the tables are there, may be read and have the version that this Holdfast needs. Changes nothing.
     *
     * @throws StoreRefusedException if not, saying what to do
     * @throws StoreUnavailableException if the database can't be asked
     */
    public static void check(DataSource source) {
        run(source, Schema::check);
    }

    /** Makes the tables if they are missing; several processes may do so at once. */
    public static void create(DataSource source) {
        run(source, Schema::ensure);
    }

    private interface Step {
        void run(Schema schema, Connection connection) throws SQLException;
    }

    private static void run(DataSource source, Step step) {
        String description = "the data source";
        Database database = null;
        try (Connection connection = source.getConnection()) {
            database = Database.of(connection);
            description = database.title() + " of a given data source";
            Errors errors = new Errors(description, database);
            step.run(new Schema(database.dialect(), errors, description), connection);
        } catch (SQLException e) {
            throw failure(description, database, e);
        }
    }

    private static HoldfastException failure(String description, @Nullable Database database, SQLException e) {
        return database == null
                ? new StoreUnavailableException(description + " gives no connection: " + e.getMessage(), e)
                : new Errors(description, database).translate("The schema", e);
    }
}
