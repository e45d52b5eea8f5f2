-- Which claims of these clients were called, and, where all are asked for, which exclusive ones have tickets.
SELECT id, name, called, CASE WHEN kind = 0 AND mode = 0 AND held = 0 THEN 1 ELSE 0 END AS is_ticket
FROM holdfast_claim
WHERE client IN (:clients...) AND (called > 0 OR (:all > 0 AND kind = 0 AND mode = 0 AND held = 0))
