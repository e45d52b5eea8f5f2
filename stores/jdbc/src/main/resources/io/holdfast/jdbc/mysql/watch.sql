INSERT INTO holdfast_watch (kind, name, listener, until_at) VALUES (:kind, :name, :me, {now} + :time)
ON DUPLICATE KEY UPDATE until_at = VALUES(until_at)
