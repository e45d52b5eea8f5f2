SELECT name, id FROM holdfast_change WHERE kind = 1 AND made_at < {now} - :kept ORDER BY made_at LIMIT 500
