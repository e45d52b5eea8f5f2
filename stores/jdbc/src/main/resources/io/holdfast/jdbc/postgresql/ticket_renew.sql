-- Keeps a ticket without a lock on the name's row: releases of the lock do not wait for it. A ticket that is being changed is
-- passed by, and nothing waits for the disk: a ticket that a crash takes away is taken again.
UPDATE holdfast_claim SET ends_at = GREATEST(ends_at, {now} + :time)
FROM (SELECT set_config('synchronous_commit', 'off', true) FROM holdfast_claim c
      WHERE c.kind = 0 AND c.name = :name AND c.id = :id AND c.held < 1 AND c.ends_at > {now} FOR UPDATE SKIP LOCKED) kept
WHERE kind = 0 AND name = :name AND id = :id
