-- Takes a lock that nobody has, or confirms the claim that has it; no row if neither. A row that shows that the lock is
-- busy is not locked, so that the holder's release does not wait behind it.
SELECT token FROM FINAL TABLE (
    MERGE INTO holdfast_lock l
    USING (SELECT t.at AS now_at, GREATEST(t.at, s.token_floor + 1) AS first_token
           FROM holdfast_schema s, (SELECT {now} AS at) t
           WHERE NOT EXISTS (
               SELECT 1 FROM holdfast_lock b
               WHERE b.kind = 0 AND b.name = :name
                   AND NOT COALESCE((b.holder = :id AND b.ends_at > t.at)
                                 OR ((b.holder IS NULL OR b.ends_at <= t.at) AND b.others = 0), FALSE))) n
    ON l.kind = 0 AND l.name = :name
    WHEN MATCHED AND ((l.holder = :id AND l.ends_at > n.now_at)
                   OR ((l.holder IS NULL OR l.ends_at <= n.now_at) AND l.others = 0)) THEN UPDATE SET
        token = CASE WHEN l.holder = :id THEN l.token ELSE GREATEST(l.last_token + 1, n.first_token) END,
        last_token = CASE WHEN l.holder = :id THEN l.last_token
                          ELSE GREATEST(l.last_token + 1, n.first_token) + :tokens - 1 END,
        since = CASE WHEN l.holder = :id THEN l.since ELSE n.now_at END,
        ends_at = GREATEST(l.ends_at, n.now_at + :lease),
        holds = :holds,
        owner = :owner,
        yields = :yields,
        called = CASE WHEN l.holder = :id THEN l.called ELSE 0 END,
        used_at = n.now_at,
        holder = :id
    WHEN NOT MATCHED THEN INSERT
        (kind, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity, changes,
        used_at)
        VALUES (0, :name, :id, n.first_token, n.now_at, n.now_at + :lease, :holds, :owner, :yields, 0,
            n.first_token + :tokens - 1, 0, -1, 0, n.now_at)
)
