SELECT name, others, last_token, ends_at, used_at, {now} AS now_at
FROM holdfast_lock WHERE kind = :kind AND name > :after ORDER BY name LIMIT 500
