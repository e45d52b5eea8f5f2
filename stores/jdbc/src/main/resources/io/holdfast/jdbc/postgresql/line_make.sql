INSERT INTO holdfast_lock
    (kind, name, holder, token, since, ends_at, holds, owner, last_token, others, capacity, changes, used_at)
SELECT :kind, :name, NULL, 0, 0, 0, 0, NULL, token_floor, 0, -1, 0, {now} FROM holdfast_schema
ON CONFLICT (kind, name) DO NOTHING
