DELETE FROM holdfast_watch WHERE until_at < {now} - :kept
