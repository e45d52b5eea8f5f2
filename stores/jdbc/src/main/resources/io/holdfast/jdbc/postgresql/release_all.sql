-- Frees those of several locks that their claims have and nobody queues for, as release does one; the answer has no row for
-- the others. If one of the rows is being changed for long, nothing is done. Rows are looked up by their key, one by one
-- (OFFSET 0, and an insert that finds them there): a plan that was made while there were few would read them all. Should one
-- be gone in between, the row that is made is that of a free lock, with the last token that was seen, and no answer.
WITH given AS (
    SELECT g.name, g.id, g.message, l.last_token
    FROM unnest(CAST(:names AS bytea[]), CAST(:ids AS varchar[]), CAST(:messages AS text[])) AS g (name, id, message)
        CROSS JOIN (
            SELECT set_config('lock_timeout', '100ms', true),
                set_config('synchronous_commit',
                    CASE WHEN :brief > 0 THEN 'off' ELSE current_setting('synchronous_commit') END, true)) s
        CROSS JOIN LATERAL (
            SELECT last_token FROM holdfast_lock
            WHERE kind = 0 AND name = g.name AND holder = g.id AND others = 0 OFFSET 0) l
), freed AS (
    INSERT INTO holdfast_lock AS l
        (kind, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity, changes,
        used_at)
    SELECT 0, g.name, NULL, 0, 0, 0, 0, convert_to(g.id, 'UTF8'), 0, 0, g.last_token, 0, -1, 0, {now}
    FROM given g
    ORDER BY g.name
    ON CONFLICT (kind, name) DO UPDATE SET
        holder = NULL, owner = NULL, ends_at = 0, changes = l.changes + 1, used_at = excluded.used_at
    WHERE convert_to(l.holder, 'UTF8') = excluded.owner AND l.ends_at > {now} AND l.others = 0
    RETURNING l.name, l.changes
), told AS (
    SELECT g.id, w.told
    FROM freed f JOIN given g ON g.name = f.name CROSS JOIN LATERAL (
        SELECT pg_notify('holdfast_' || listener, g.message) AS told
        FROM holdfast_watch
        WHERE kind = 0 AND name = g.name AND listener <> :me AND until_at > {now}
        OFFSET 0) w
)
SELECT g.id, (SELECT COUNT(*) FROM told t WHERE t.id = g.id) AS waiting
FROM freed f JOIN given g ON g.name = f.name
WHERE f.changes > 0
