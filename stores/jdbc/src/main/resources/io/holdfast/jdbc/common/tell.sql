-- How many watch; they see what has changed when they look.
SELECT COUNT(*) AS waiting
FROM holdfast_watch
WHERE kind = :kind AND name = :name AND listener <> :me AND until_at > {now}
