-- How tickets stand: the first live one of the same queue, and whether the lock has a holder. It locks nothing.
SELECT c.id, c.name, c.place, l.changes,
    (SELECT f.place FROM holdfast_claim f
     WHERE f.kind = c.kind AND f.name = c.name AND f.held = 0 AND f.ends_at > {now} ORDER BY f.place LIMIT 1) AS first_place,
    CASE WHEN (l.holder IS NOT NULL AND l.ends_at > {now})
           OR EXISTS (SELECT 1 FROM holdfast_claim h
                      WHERE h.kind = c.kind AND h.name = c.name AND h.held = 1 AND h.ends_at > {now})
        THEN 1 ELSE 0 END AS is_held
FROM holdfast_claim c JOIN holdfast_lock l ON l.kind = c.kind AND l.name = c.name
WHERE c.kind = 0 AND c.name IN (:names...) AND c.id IN (:ids...) AND c.held < 1
