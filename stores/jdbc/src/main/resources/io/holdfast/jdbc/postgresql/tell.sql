-- Tells those who watch, and says how many they are.
SELECT COUNT(listener) AS waiting FROM (
    SELECT listener, pg_notify('holdfast_' || listener, :message)
    FROM holdfast_watch
    WHERE kind = :kind AND name = :name AND listener <> :me AND until_at > {now}
    OFFSET 0
) told
