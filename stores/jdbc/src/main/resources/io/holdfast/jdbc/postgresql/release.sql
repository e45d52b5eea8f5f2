-- Frees a lock that this claim has, notifies the clients that watch it, and calls the first claim in the queue. What is in
-- the queue counts only as this statement first saw it: if the lock's row has changed since, or the first claim is not
-- exclusive, or there are shared holders, nothing is done. For a brief lease it is answered before it is on disk: a release
-- that a crash undoes costs the rest of the lease and nothing else, and no later grant can be there without it, since the log
-- is written in order.
WITH first AS (
    SELECT c.id, c.client, c.mode FROM holdfast_claim c
    WHERE c.kind = 0 AND c.name = :name AND c.held = 0 AND c.ends_at > {now} ORDER BY c.place LIMIT 1
), freed AS (
    UPDATE holdfast_lock l SET holder = NULL, owner = NULL, ends_at = 0, changes = l.changes + 1, used_at = {now}
    WHERE l.kind = 0 AND l.name = :name AND l.holder = :id AND l.ends_at > {now}
        AND (l.others = 0 OR (
            l.xmin = (SELECT s.xmin FROM holdfast_lock s WHERE s.kind = 0 AND s.name = :name)
            AND EXISTS (SELECT 1 FROM first WHERE mode = 0)
            AND NOT EXISTS (SELECT 1 FROM holdfast_claim h WHERE h.kind = 0 AND h.name = :name AND h.held = 1)))
    RETURNING l.others
), told AS (
    SELECT w.listener, pg_notify('holdfast_' || w.listener, :message)
    FROM freed, holdfast_watch w
    WHERE w.kind = 0 AND w.name = :name AND w.listener <> :me AND w.until_at > {now}
), called AS (
    SELECT w.listener, pg_notify('holdfast_' || w.listener, 'called ' || f.id)
    FROM freed, first f, holdfast_watch w
    WHERE freed.others > 0 AND w.kind = 3 AND w.name = convert_to(f.client, 'UTF8') AND w.listener <> :me
        AND w.until_at > {now}
)
SELECT (SELECT COUNT(*) FROM freed) AS freed, (SELECT COUNT(listener) FROM told) AS waiting,
    (SELECT f.id FROM freed, first f WHERE freed.others > 0) AS first, (SELECT COUNT(listener) FROM called) AS called,
    set_config('synchronous_commit', CASE WHEN :brief > 0 THEN 'off' ELSE current_setting('synchronous_commit') END, true)
