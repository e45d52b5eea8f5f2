-- Calls the holder of a lock: it sees that when it looks.
UPDATE holdfast_lock SET called = called + 1 WHERE kind = 0 AND name = :name AND holder = :holder
