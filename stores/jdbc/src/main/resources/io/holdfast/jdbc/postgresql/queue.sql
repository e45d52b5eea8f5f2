-- Takes a lock for a claim that comes first, or has it wait in the queue of exclusive claims: adds its ticket, or keeps the one
-- that it has. The queue counts as this statement first saw it: everything that changes it changes the lock's row as well, and
-- if that has happened since, nothing is done (changed is 0). Nor is it where more than the ends of the queue may matter
-- (is_plain is false): there are shared holders, a holder that yields, tickets that are over, or the claim has the lock. What
-- takes no lock is answered before it is on disk: a ticket that a crash takes away is taken again.
WITH seen AS (
    SELECT l.xmin AS version, t.at, m.id AS own, COALESCE(b.place, 0) + 1 AS place, GREATEST(l.last_token + 1, t.at) AS token,
        l.holder IS NOT NULL AND l.ends_at > t.at AS is_held, l.ends_at - t.at AS time_left,
        COALESCE(f.id = :id, true) OR (:barges > 0 AND m.id IS NULL) AS is_next,
        NOT (l.holder IS NOT NULL AND l.ends_at > t.at AND (l.holder = :id OR l.yields > 0))
            AND COALESCE(f.mode = 0 AND f.ends_at > t.at, true)
            AND COALESCE(m.held < 1 AND m.ends_at > t.at, true)
            AND NOT EXISTS (SELECT 1 FROM holdfast_claim h WHERE h.kind = 0 AND h.name = :name AND h.held = 1) AS is_plain
    FROM (SELECT {now} AS at, set_config('lock_timeout', '1s', true)) t
        JOIN holdfast_lock l ON l.kind = 0 AND l.name = :name
        LEFT JOIN holdfast_claim m ON m.kind = 0 AND m.name = :name AND m.id = :id
        LEFT JOIN LATERAL (SELECT c.id, c.mode, c.ends_at FROM holdfast_claim c
            WHERE c.kind = 0 AND c.name = :name AND c.held = 0 ORDER BY c.place LIMIT 1) f ON true
        LEFT JOIN LATERAL (SELECT c.place FROM holdfast_claim c
            WHERE c.kind = 0 AND c.name = :name AND c.held = 0 ORDER BY c.place DESC LIMIT 1) b ON true
), asked AS (
    SELECT s.*, s.is_next AND NOT s.is_held AS is_granted FROM seen s
), changed AS (
    UPDATE holdfast_lock l SET
        holder = CASE WHEN a.is_granted THEN :id ELSE l.holder END,
        token = CASE WHEN a.is_granted THEN a.token ELSE l.token END,
        last_token = CASE WHEN a.is_granted THEN a.token + :tokens - 1 ELSE l.last_token END,
        since = CASE WHEN a.is_granted THEN a.at ELSE l.since END,
        ends_at = CASE WHEN a.is_granted THEN a.at + :lease ELSE l.ends_at END,
        holds = CASE WHEN a.is_granted THEN :holds ELSE l.holds END,
        owner = CASE WHEN a.is_granted THEN :owner ELSE l.owner END,
        yields = CASE WHEN a.is_granted THEN :yields ELSE l.yields END,
        called = CASE WHEN a.is_granted THEN 0 ELSE l.called END,
        others = l.others + CASE WHEN NOT a.is_granted THEN 1 WHEN a.own IS NOT NULL THEN -1 ELSE 0 END,
        used_at = a.at
    FROM asked a
    WHERE l.kind = 0 AND l.name = :name AND l.xmin = a.version AND a.is_plain AND (a.is_granted OR a.own IS NULL)
    RETURNING a.is_granted
), gone AS (
    DELETE FROM holdfast_claim c USING changed d WHERE d.is_granted AND c.kind = 0 AND c.name = :name AND c.id = :id
), added AS (
    INSERT INTO holdfast_claim (kind, name, id, client, mode, held, place, token, since, ends_at, holds, permits, beside, owner,
        yields, called)
    SELECT 0, :name, :id, :client, 0, 0, a.place, 0, a.at, a.at + :time, :holds, 1, NULL, :owner, :yields, 0
    FROM asked a, changed d WHERE NOT d.is_granted
), kept AS (
    UPDATE holdfast_claim c SET ends_at = GREATEST(c.ends_at, a.at + :time) FROM asked a
    WHERE a.is_plain AND NOT a.is_granted AND a.own IS NOT NULL AND c.kind = 0 AND c.name = :name AND c.id = :id
    RETURNING 1
)
SELECT a.is_plain, a.is_granted, a.token, CASE WHEN a.is_next AND a.is_held THEN a.time_left ELSE :time END AS time_left,
    (SELECT COUNT(*) FROM changed) + (SELECT COUNT(*) FROM kept) AS changed,
    set_config('synchronous_commit', CASE WHEN a.is_granted THEN current_setting('synchronous_commit') ELSE 'off' END, true)
FROM asked a
