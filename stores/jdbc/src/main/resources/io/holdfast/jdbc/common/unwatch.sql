DELETE FROM holdfast_watch WHERE kind = :kind AND name = :name AND listener = :me
