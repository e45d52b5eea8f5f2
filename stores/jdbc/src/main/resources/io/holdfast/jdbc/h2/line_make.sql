MERGE INTO holdfast_lock l
USING (SELECT token_floor FROM holdfast_schema) s
ON l.kind = :kind AND l.name = :name
WHEN NOT MATCHED THEN INSERT
    (kind, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity, changes, used_at)
    VALUES (:kind, :name, NULL, 0, 0, 0, 0, NULL, 0, 0, s.token_floor, 0, -1, 0, {now})
