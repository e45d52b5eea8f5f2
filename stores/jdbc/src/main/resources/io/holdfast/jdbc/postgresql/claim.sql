-- Takes a lock that nobody has, or confirms the claim that has it. If neither, the row says why not, and a holder that
-- yields is called. A row that shows that the lock is busy is not locked: that would be written, and the holder's release
-- would wait behind it.
WITH granted AS (
    INSERT INTO holdfast_lock AS l
        (kind, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity, changes,
        used_at)
    SELECT 0, :name, :id, n.token, n.at, n.at + :lease, :holds, :owner, :yields, 0, n.token + :tokens - 1, 0, -1, 0, n.at
    FROM (SELECT t.at, GREATEST(t.at, s.token_floor + 1) AS token
          FROM holdfast_schema s, (SELECT {now} AS at) t) n
    WHERE NOT EXISTS (
        SELECT 1 FROM holdfast_lock b
        WHERE b.kind = 0 AND b.name = :name
            AND NOT COALESCE((b.holder = :id AND b.ends_at > n.at)
                          OR ((b.holder IS NULL OR b.ends_at <= n.at) AND b.others = 0), false))
    ON CONFLICT (kind, name) DO UPDATE SET
        holder = excluded.holder,
        token = CASE WHEN l.holder = excluded.holder THEN l.token
                     ELSE GREATEST(l.last_token + 1, excluded.token) END,
        last_token = CASE WHEN l.holder = excluded.holder THEN l.last_token
                          ELSE GREATEST(l.last_token + 1, excluded.token) + :tokens - 1 END,
        since = CASE WHEN l.holder = excluded.holder THEN l.since ELSE excluded.since END,
        ends_at = GREATEST(l.ends_at, {now} + :lease),
        holds = excluded.holds,
        owner = excluded.owner,
        yields = excluded.yields,
        used_at = excluded.used_at
    WHERE (l.holder = excluded.holder AND l.ends_at > {now})
       OR ((l.holder IS NULL OR l.ends_at <= {now}) AND l.others = 0)
    RETURNING token
), called AS (
    SELECT w.listener, pg_notify('holdfast_' || w.listener, 'called ' || l.holder)
    FROM holdfast_lock l, holdfast_watch w
    WHERE l.kind = 0 AND l.name = :name AND l.yields > 0 AND l.holder IS NOT NULL AND l.ends_at > {now}
      AND w.kind = 3 AND w.name = convert_to(regexp_replace(l.holder, ':[^:]*$', ''), 'UTF8') AND w.until_at > {now}
)
SELECT token, CAST(0 AS bigint) AS time_left, 0 AS others, CAST(0 AS bigint) AS told FROM granted
UNION ALL
SELECT NULL, CASE WHEN holder IS NULL THEN 0 ELSE ends_at - {now} END, others,
    CASE WHEN yields > 0 THEN (SELECT COUNT(listener) FROM called) ELSE 0 END
FROM holdfast_lock WHERE kind = 0 AND name = :name AND NOT EXISTS (SELECT 1 FROM granted)
