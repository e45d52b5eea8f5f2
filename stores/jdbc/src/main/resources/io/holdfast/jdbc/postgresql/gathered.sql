-- Takes those of several locks that nobody has and confirms the claims that have theirs, as claim does one; and frees those
-- that are given back and nobody queues for, as release does one: what is to be released comes with no holds. Of wanted
-- locks that others have the row says for how long, and a holder that yields is called. For the rest the answer has no row. If
-- one of the rows is being changed for long, nothing is done. What is brief may be answered before it is on disk, and nothing
-- is that takes a lock.
-- Rows are looked up by their key, one by one (OFFSET 0, and an insert that finds them there): a plan that was made while
-- there were few would read them all. Should one that is to be freed be gone in between, the row that is made is that of a
-- lock whose lease is over, with the last token that was seen, and no answer.
WITH asked AS (
    SELECT c.*, t.at, GREATEST(t.at, s.token_floor + 1) AS token, l.holder, l.time_left, l.others, l.yielding, l.last_token,
        COALESCE(l.time_left > 0 AND l.holder <> c.id, false) AS is_busy
    FROM unnest(CAST(:names AS bytea[]), CAST(:ids AS varchar[]), CAST(:leases AS bigint[]), CAST(:holds AS integer[]),
                CAST(:tokens AS integer[]), CAST(:yields AS integer[]), CAST(:owners AS bytea[]))
             AS c (name, id, lease, holds, tokens, yields, owner)
        CROSS JOIN (SELECT token_floor FROM holdfast_schema WHERE id = 1) s
        CROSS JOIN (
            SELECT {now} AS at, set_config('lock_timeout', '100ms', true),
                set_config('synchronous_commit',
                    CASE WHEN :brief > 0 THEN 'off' ELSE current_setting('synchronous_commit') END, true)) t
        LEFT JOIN LATERAL (
            SELECT holder, ends_at - t.at AS time_left, others, yields AS yielding, last_token
            FROM holdfast_lock WHERE kind = 0 AND name = c.name OFFSET 0) l ON true
), changed AS (
    INSERT INTO holdfast_lock AS l
        (kind, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity, changes,
        used_at)
    SELECT 0, a.name, a.id, a.token, a.at, a.at + a.lease, a.holds, a.owner, a.yields, 0,
        CASE WHEN a.holds > 0 THEN a.token + a.tokens - 1 ELSE a.last_token END, 0, -1, 0, a.at
    FROM asked a
    WHERE CASE WHEN a.holds > 0 THEN NOT a.is_busy ELSE a.holder = a.id AND a.others = 0 END
    ON CONFLICT (kind, name) DO UPDATE SET
        holder = CASE WHEN excluded.holds > 0 THEN excluded.holder END,
        token = CASE WHEN l.holder = excluded.holder THEN l.token
                     ELSE GREATEST(l.last_token + 1, excluded.token) END,
        last_token = CASE WHEN l.holder = excluded.holder THEN l.last_token
                          ELSE GREATEST(l.last_token + 1, excluded.token) + excluded.last_token - excluded.token END,
        since = CASE WHEN l.holder = excluded.holder THEN l.since ELSE excluded.since END,
        ends_at = CASE WHEN excluded.holds > 0 THEN GREATEST(l.ends_at, {now} + excluded.ends_at - excluded.since)
                       ELSE 0 END,
        holds = excluded.holds,
        owner = CASE WHEN excluded.holds > 0 THEN excluded.owner END,
        yields = excluded.yields,
        changes = CASE WHEN excluded.holds > 0 THEN l.changes ELSE l.changes + 1 END,
        used_at = excluded.used_at
    WHERE (l.holder = excluded.holder AND l.ends_at > {now} AND (excluded.holds > 0 OR l.others = 0))
       OR (excluded.holds > 0 AND (l.holder IS NULL OR l.ends_at <= {now}) AND l.others = 0)
    RETURNING l.name, l.holder, l.token, l.holds
)
SELECT c.name, c.holds, c.token, CAST(0 AS bigint) AS time_left, 0 AS others, CASE WHEN c.holds > 0 THEN 0 ELSE (
    SELECT COUNT(pg_notify('holdfast_' || w.listener,
                           'changed 0 ' || translate(encode(w.name, 'base64'), '+/=' || chr(10), '-_')))
    FROM holdfast_watch w WHERE w.kind = 0 AND w.name = c.name AND w.listener <> :me AND w.until_at > {now}) END AS told
FROM changed c WHERE c.holds > 0 OR c.holder IS NULL
UNION ALL
SELECT b.name, b.holds, NULL, b.time_left, b.others, CASE WHEN b.yielding > 0 THEN (
    SELECT COUNT(pg_notify('holdfast_' || w.listener, 'called ' || b.holder))
    FROM holdfast_watch w
    WHERE w.kind = 3 AND w.name = convert_to(regexp_replace(b.holder, ':[^:]*$', ''), 'UTF8') AND w.until_at > {now}) ELSE 0 END
FROM asked b WHERE b.holds > 0 AND b.is_busy
