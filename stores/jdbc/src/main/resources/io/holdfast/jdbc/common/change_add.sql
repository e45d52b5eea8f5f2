INSERT INTO holdfast_change (kind, name, id, made_at) VALUES (:kind, :name, :id, {now})
