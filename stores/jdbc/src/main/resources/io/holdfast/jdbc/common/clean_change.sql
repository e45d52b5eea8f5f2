DELETE FROM holdfast_change WHERE kind = 1 AND name = :name AND id = :id
