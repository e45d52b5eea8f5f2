MERGE INTO holdfast_latch l USING (SELECT 1 AS one) n ON l.name = :name
WHEN NOT MATCHED THEN INSERT (name, id, remaining, changes, used_at) VALUES (:name, :id, 0, 0, {now})
