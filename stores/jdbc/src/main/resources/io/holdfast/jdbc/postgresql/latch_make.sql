INSERT INTO holdfast_latch (name, id, remaining, changes, used_at) VALUES (:name, :id, 0, 0, {now})
ON CONFLICT (name) DO NOTHING
