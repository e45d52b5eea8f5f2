-- Frees a lock that this claim has and nobody queues for. The "generated key" is 2 if others watch it, else 1.
UPDATE holdfast_lock SET holder = NULL, owner = NULL, ends_at = 0, used_at = {now},
    changes = changes + 1 + 0 * LAST_INSERT_ID(1 + EXISTS (
        SELECT 1 FROM holdfast_watch w
        WHERE w.kind = 0 AND w.name = :name AND w.listener <> :me AND w.until_at > {now}))
WHERE kind = 0 AND name = :name AND holder = :id AND ends_at > {now} AND others = 0
