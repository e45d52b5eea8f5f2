-- What a command of an exclusive claim turns on, however many claims the name has: those that hold, the two that are first in
-- the queue, the one that is last, and the claim itself.
SELECT {claim} FROM holdfast_claim WHERE kind = :kind AND name = :name AND held = 1
UNION ALL
SELECT * FROM (SELECT {claim} FROM holdfast_claim WHERE kind = :kind AND name = :name AND held = 0
    ORDER BY place LIMIT 2) front
UNION ALL
SELECT * FROM (SELECT {claim} FROM holdfast_claim WHERE kind = :kind AND name = :name AND held = 0
    ORDER BY place DESC LIMIT 1) back
UNION ALL
SELECT {claim} FROM holdfast_claim WHERE kind = :kind AND name = :name AND id = :id
