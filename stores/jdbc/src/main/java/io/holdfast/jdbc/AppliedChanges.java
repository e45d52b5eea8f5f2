package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Remembers which changes of a count have been made, so that each is made once however often it arrives. */
final class AppliedChanges {

    private final Dialect dialect;

    AppliedChanges(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Whether the change has not been made yet; it counts as made from then on. The row of the count is locked. */
    boolean tryNote(Connection connection, Key key, String id) throws SQLException {
        try (Bound find = bound(connection, "change_find", key, id);
                ResultSet row = find.query()) {
            if (row.next()) {
                return false;
            }
        }
        try (Bound add = bound(connection, "change_add", key, id)) {
            add.update();
        }
        return true;
    }

    private Bound bound(Connection connection, String statement, Key key, String id) throws SQLException {
        return dialect.sql(statement)
                .on(connection)
                .set("kind", key.kind())
                .set("name", key.bytes())
                .set("id", Key.bytes(id));
    }
}
