SELECT name, id, client, mode, held, place, token, since, ends_at, holds, permits, beside, owner, yields, called
FROM holdfast_claim WHERE kind = :kind AND name IN (:names...)
