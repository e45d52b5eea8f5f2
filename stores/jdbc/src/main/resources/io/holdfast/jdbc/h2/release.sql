-- Frees a lock that this claim has and nobody queues for; no row if it has not, or somebody does.
SELECT (SELECT COUNT(*) FROM holdfast_watch w
        WHERE w.kind = 0 AND w.name = :name AND w.listener <> :me AND w.until_at > {now}) AS waiting
FROM FINAL TABLE (
    UPDATE holdfast_lock SET holder = NULL, owner = NULL, ends_at = 0, changes = changes + 1, used_at = {now}
    WHERE kind = 0 AND name = :name AND holder = :id AND ends_at > {now} AND others = 0
)
