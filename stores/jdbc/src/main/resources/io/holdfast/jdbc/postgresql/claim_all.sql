-- Takes those of several locks that nobody has, and confirms the claims that have theirs. Of locks that others have the row
-- says for how long, and a holder that yields is called. A row that somebody else is changing has no answer, so that nobody
-- waits here for a lock that is not its own.
WITH wanted AS (
    SELECT c.*, t.at, GREATEST(t.at, s.token_floor + 1) AS token
    FROM unnest(CAST(:names AS bytea[]), CAST(:ids AS varchar[]), CAST(:leases AS bigint[]), CAST(:holds AS integer[]),
                CAST(:tokens AS integer[]), CAST(:yields AS integer[]), CAST(:owners AS bytea[]))
             AS c (name, id, lease, holds, tokens, yields, owner),
         holdfast_schema s, (SELECT {now} AS at) t
), busy AS (
    SELECT w.name, w.id, l.holder, l.ends_at - w.at AS time_left, l.others, l.yields
    FROM wanted w, holdfast_lock l
    WHERE l.kind = 0 AND l.name = w.name AND l.holder <> w.id AND l.ends_at > w.at
), free AS (
    SELECT l.name
    FROM wanted w, holdfast_lock l
    WHERE l.kind = 0 AND l.name = w.name AND (l.holder IS NULL OR l.holder = w.id OR l.ends_at <= w.at)
    FOR UPDATE OF l SKIP LOCKED
), granted AS (
    INSERT INTO holdfast_lock AS l
        (kind, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity, changes,
        used_at)
    SELECT 0, w.name, w.id, w.token, w.at, w.at + w.lease, w.holds, w.owner, w.yields, 0, w.token + w.tokens - 1, 0, -1, 0,
        w.at
    FROM wanted w
    WHERE w.name IN (SELECT name FROM free)
       OR NOT EXISTS (SELECT 1 FROM holdfast_lock x WHERE x.kind = 0 AND x.name = w.name)
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
    SELECT b.id, pg_notify('holdfast_' || w.listener, 'called ' || b.holder)
    FROM busy b, holdfast_watch w
    WHERE b.yields > 0 AND w.kind = 3 AND w.name = convert_to(regexp_replace(b.holder, ':[^:]*$', ''), 'UTF8')
      AND w.until_at > {now}
)
SELECT id, token, CAST(0 AS bigint) AS time_left, 0 AS others, CAST(0 AS bigint) AS told FROM granted
UNION ALL
SELECT b.id, NULL, b.time_left, b.others, CASE WHEN b.yields > 0 THEN (SELECT COUNT(c.id) FROM called c) ELSE 0 END
FROM busy b
