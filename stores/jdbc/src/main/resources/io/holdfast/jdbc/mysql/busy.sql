-- Why a lock may be busy, or that this claim has it. It locks nothing.
SELECT CASE WHEN holder IS NULL THEN 0 ELSE ends_at - {now} END AS time_left, others, token,
    CASE WHEN yields > 0 THEN holder END AS yielding, COALESCE(holder = :id, 0) AS is_own
FROM holdfast_lock WHERE kind = 0 AND name = :name
