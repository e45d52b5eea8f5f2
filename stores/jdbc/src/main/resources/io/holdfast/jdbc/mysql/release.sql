-- Frees a lock that this claim has, unless there are shared holders or the first claim in the queue is not exclusive: a client
-- whose exclusive claim is first sees that its turn has come when it looks. The "generated key" is 2 if others watch the lock
-- or wait for it, else 1.
UPDATE holdfast_lock SET holder = NULL, owner = NULL, ends_at = 0, used_at = {now},
    changes = changes + 1 + 0 * LAST_INSERT_ID(1 + (others > 0 OR EXISTS (
        SELECT 1 FROM holdfast_watch w
        WHERE w.kind = 0 AND w.name = :name AND w.listener <> :me AND w.until_at > {now})))
WHERE kind = 0 AND name = :name AND holder = :id AND ends_at > {now} AND (others = 0 OR (
    NOT EXISTS (SELECT 1 FROM holdfast_claim h WHERE h.kind = 0 AND h.name = :name AND h.held = 1)
    AND (SELECT c.mode FROM holdfast_claim c
         WHERE c.kind = 0 AND c.name = :name AND c.held = 0 AND c.ends_at > {now} ORDER BY c.place LIMIT 1) = 0))
