INSERT INTO holdfast_watch (kind, name, listener, until_at) VALUES (:kind, :name, :me, {now} + :time)
ON CONFLICT (kind, name, listener) DO UPDATE SET until_at = excluded.until_at
