SELECT name FROM holdfast_latch WHERE used_at < {now} - :kept LIMIT 100
