SELECT {now} AS now_at, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity,
    changes, used_at, (SELECT token_floor FROM holdfast_schema WHERE id = 1) AS token_floor
FROM holdfast_lock WHERE kind = :kind AND name IN (:names...) ORDER BY name FOR UPDATE
