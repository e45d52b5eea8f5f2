-- Frees those of several locks that their claims have and nobody queues for, as release does one; the answer has no row for
-- the others, nor for one whose row somebody else is changing.
WITH given AS (
    SELECT l.name, g.id, g.message
    FROM holdfast_lock l,
         unnest(CAST(:names AS bytea[]), CAST(:ids AS varchar[]), CAST(:messages AS text[])) AS g (name, id, message)
    WHERE l.kind = 0 AND l.name = g.name AND l.holder = g.id
    FOR UPDATE OF l SKIP LOCKED
), freed AS (
    UPDATE holdfast_lock l SET holder = NULL, owner = NULL, ends_at = 0, changes = l.changes + 1, used_at = {now}
    FROM given g
    WHERE l.kind = 0 AND l.name = g.name AND l.holder = g.id AND l.ends_at > {now} AND l.others = 0
    RETURNING l.name, g.id, g.message
), told AS (
    SELECT f.id, w.listener, pg_notify('holdfast_' || w.listener, f.message)
    FROM freed f, holdfast_watch w
    WHERE w.kind = 0 AND w.name = f.name AND w.listener <> :me AND w.until_at > {now}
)
SELECT f.id, (SELECT COUNT(t.listener) FROM told t WHERE t.id = f.id) AS waiting,
    set_config('synchronous_commit', CASE WHEN :brief > 0 THEN 'off' ELSE current_setting('synchronous_commit') END, true)
FROM freed f
