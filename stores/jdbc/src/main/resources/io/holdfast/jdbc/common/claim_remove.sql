DELETE FROM holdfast_claim WHERE kind = :kind AND name = :name AND id = :id AND ends_at <= :by
