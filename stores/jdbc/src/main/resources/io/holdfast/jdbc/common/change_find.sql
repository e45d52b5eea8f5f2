SELECT 1 FROM holdfast_change WHERE kind = :kind AND name = :name AND id = :id
