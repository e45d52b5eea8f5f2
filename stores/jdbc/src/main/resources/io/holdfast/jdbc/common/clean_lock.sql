DELETE FROM holdfast_lock
WHERE kind = :kind AND name = :name AND others = 0 AND ends_at <= {now} AND used_at < {now} - :kept
    AND last_token <= (SELECT token_floor FROM holdfast_schema WHERE id = 1)
