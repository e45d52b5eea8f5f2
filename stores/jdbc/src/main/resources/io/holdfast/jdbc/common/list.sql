SELECT name FROM holdfast_lock
WHERE kind = :kind AND name >= :after AND name < :before
    AND ((holder IS NOT NULL AND ends_at > {now}) OR others > 0)
ORDER BY name LIMIT 200
