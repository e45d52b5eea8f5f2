UPDATE holdfast_latch SET id = :id, remaining = :remaining, changes = :changes, used_at = {now} WHERE name = :name
