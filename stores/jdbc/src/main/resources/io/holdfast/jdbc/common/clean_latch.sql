DELETE FROM holdfast_latch WHERE name = :name AND used_at < {now} - :kept
