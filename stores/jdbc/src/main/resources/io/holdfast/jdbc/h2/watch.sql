MERGE INTO holdfast_watch (kind, name, listener, until_at) KEY (kind, name, listener)
VALUES (:kind, :name, :me, {now} + :time)
