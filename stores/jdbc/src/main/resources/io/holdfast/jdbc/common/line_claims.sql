SELECT {claim} FROM holdfast_claim WHERE kind = :kind AND name IN (:names...)
