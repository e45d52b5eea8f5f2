UPDATE holdfast_latch SET used_at = {now} WHERE name = :name
