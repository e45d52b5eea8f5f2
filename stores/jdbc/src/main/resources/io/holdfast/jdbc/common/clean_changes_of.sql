DELETE FROM holdfast_change WHERE kind = :kind AND name = :name
