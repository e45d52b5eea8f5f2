-- Takes a lock that nobody has, or confirms the claim that has it. The answer comes back as the "generated key", with the
-- same round trip: the token, or 2^62 + 2 * the time left (+ 1 if there are others). Assignments are made in order, so
-- the holder comes after what depends on who it was. A holder that yields sees that it was called when it looks.
INSERT INTO holdfast_lock
    (kind, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity, changes, used_at)
VALUES (0, :name, :id,
    LAST_INSERT_ID(GREATEST({now}, (SELECT token_floor FROM holdfast_schema WHERE id = 1) + 1)),
    {now}, {now} + :lease, :holds, :owner, :yields, 0,
    GREATEST({now}, (SELECT token_floor FROM holdfast_schema WHERE id = 1) + 1) + :tokens - 1,
    0, -1, 0, {now})
ON DUPLICATE KEY UPDATE
    token = IF({free}, GREATEST(last_token + 1, VALUES(token)), token),
    last_token = IF({free}, token + :tokens - 1, last_token),
    since = IF({free}, VALUES(since), since),
    called = IF({free}, 0, called + (yields > 0 AND NOT (holder <=> VALUES(holder)))),
    holder = IF({free}, VALUES(holder), holder),
    holds = IF({granted}, VALUES(holds), holds),
    owner = IF({granted}, VALUES(owner), owner),
    yields = IF({granted}, VALUES(yields), yields),
    used_at = IF({granted}, VALUES(used_at), used_at),
    ends_at = IF({granted}, GREATEST(ends_at, VALUES(ends_at)), ends_at),
    changes = changes + 0 * LAST_INSERT_ID(IF({granted} AND ends_at > {now}, token,
        4611686018427387904 + 2 * IF(holder IS NULL, 0, GREATEST(ends_at - {now}, 0)) + (others > 0)))
