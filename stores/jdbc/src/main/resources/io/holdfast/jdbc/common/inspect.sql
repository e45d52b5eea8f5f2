SELECT {now} AS now_at, l.name AS lock_name, l.holder, l.token AS lock_token, l.since AS lock_since,
    l.ends_at AS lock_ends_at, l.holds AS lock_holds, l.owner AS lock_owner, l.capacity, l.used_at,
    c.id, c.mode, c.held, c.place, c.token, c.since, c.ends_at, c.holds, c.permits, c.beside, c.owner, c.yields, c.called
FROM holdfast_lock l LEFT JOIN holdfast_claim c ON c.kind = l.kind AND c.name = l.name
WHERE l.kind = :kind AND l.name IN (:names...)
