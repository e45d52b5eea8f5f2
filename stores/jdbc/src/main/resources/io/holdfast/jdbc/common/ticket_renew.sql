-- Keeps a ticket without a lock on the name's row: releases of the lock do not wait for it.
UPDATE holdfast_claim SET ends_at = GREATEST(ends_at, {now} + :time)
WHERE kind = 0 AND name = :name AND id = :id AND held < 1 AND ends_at > {now}
