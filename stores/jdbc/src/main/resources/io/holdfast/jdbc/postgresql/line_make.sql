INSERT INTO holdfast_lock
    (kind, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity, changes, used_at)
SELECT :kind, :name, NULL, 0, 0, 0, 0, NULL, 0, 0, token_floor, 0, -1, 0, {now} FROM holdfast_schema
ON CONFLICT (kind, name) DO NOTHING
