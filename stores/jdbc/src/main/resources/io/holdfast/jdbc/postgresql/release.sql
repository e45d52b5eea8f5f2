-- Frees a lock that this claim has and nobody queues for, and tells those who watch it. For a brief lease it is answered
-- before it is on disk: a release that a crash undoes costs the rest of the lease and nothing else, and no later grant can
-- be there without it, since the log is written in order.
WITH freed AS (
    UPDATE holdfast_lock SET holder = NULL, owner = NULL, ends_at = 0, changes = changes + 1, used_at = {now}
    WHERE kind = 0 AND name = :name AND holder = :id AND ends_at > {now} AND others = 0
    RETURNING changes
), told AS (
    SELECT w.listener, pg_notify('holdfast_' || w.listener, :message)
    FROM freed, holdfast_watch w
    WHERE w.kind = 0 AND w.name = :name AND w.listener <> :me AND w.until_at > {now}
)
SELECT (SELECT COUNT(*) FROM freed) AS freed, (SELECT COUNT(listener) FROM told) AS waiting,
    set_config('synchronous_commit', CASE WHEN :brief > 0 THEN 'off' ELSE current_setting('synchronous_commit') END, true)
