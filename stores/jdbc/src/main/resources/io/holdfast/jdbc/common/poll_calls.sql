SELECT id, called FROM holdfast_claim WHERE client IN (:clients...) AND called > 0
