-- Takes those of several locks that nobody has, and confirms the claims that have theirs. Of locks that others have the row
-- says for how long, and a holder that yields is called. If one of the rows is being changed for long, nothing is done.
-- Rows are looked up by their key, one by one (OFFSET 0): a plan that was made while there were few would read them all.
WITH wanted AS (
    SELECT c.*, t.at, GREATEST(t.at, s.token_floor + 1) AS token, l.holder, l.time_left, l.others, l.yielding,
        COALESCE(l.time_left > 0 AND l.holder <> c.id, false) AS is_busy
    FROM unnest(CAST(:names AS bytea[]), CAST(:ids AS varchar[]), CAST(:leases AS bigint[]), CAST(:holds AS integer[]),
                CAST(:tokens AS integer[]), CAST(:yields AS integer[]), CAST(:owners AS bytea[]))
             AS c (name, id, lease, holds, tokens, yields, owner)
        CROSS JOIN holdfast_schema s
        CROSS JOIN (SELECT {now} AS at, set_config('lock_timeout', '100ms', true)) t
        LEFT JOIN LATERAL (
            SELECT holder, ends_at - t.at AS time_left, others, yields AS yielding
            FROM holdfast_lock WHERE kind = 0 AND name = c.name OFFSET 0) l ON true
), granted AS (
    INSERT INTO holdfast_lock AS l
        (kind, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity, changes,
        used_at)
    SELECT 0, w.name, w.id, w.token, w.at, w.at + w.lease, w.holds, w.owner, w.yields, 0, w.token + w.tokens - 1, 0, -1, 0,
        w.at
    FROM wanted w
    WHERE NOT w.is_busy
    ORDER BY w.name
    ON CONFLICT (kind, name) DO UPDATE SET
        holder = excluded.holder,
        token = CASE WHEN l.holder = excluded.holder THEN l.token
                     ELSE GREATEST(l.last_token + 1, excluded.token) END,
        last_token = CASE WHEN l.holder = excluded.holder THEN l.last_token
                          ELSE GREATEST(l.last_token + 1, excluded.token) + excluded.last_token - excluded.token END,
        since = CASE WHEN l.holder = excluded.holder THEN l.since ELSE excluded.since END,
        ends_at = GREATEST(l.ends_at, {now} + excluded.ends_at - excluded.since),
        holds = excluded.holds,
        owner = excluded.owner,
        yields = excluded.yields,
        used_at = excluded.used_at
    WHERE (l.holder = excluded.holder AND l.ends_at > {now})
       OR ((l.holder IS NULL OR l.ends_at <= {now}) AND l.others = 0)
    RETURNING l.holder AS id, l.token
), called AS (
    SELECT w.told
    FROM wanted b CROSS JOIN LATERAL (
        SELECT pg_notify('holdfast_' || listener, 'called ' || b.holder) AS told
        FROM holdfast_watch
        WHERE kind = 3 AND name = convert_to(regexp_replace(b.holder, ':[^:]*$', ''), 'UTF8') AND until_at > {now}
        OFFSET 0) w
    WHERE b.is_busy AND b.yielding > 0
)
SELECT id, token, CAST(0 AS bigint) AS time_left, 0 AS others, CAST(0 AS bigint) AS told FROM granted
UNION ALL
SELECT b.id, NULL, b.time_left, b.others, CASE WHEN b.yielding > 0 THEN (SELECT COUNT(*) FROM called) ELSE 0 END
FROM wanted b WHERE b.is_busy
