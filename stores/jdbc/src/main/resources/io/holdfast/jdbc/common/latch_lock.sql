SELECT {now} AS now_at, id, remaining, changes, used_at FROM holdfast_latch WHERE name = :name FOR UPDATE
