-- A ticket may have been renewed since it was read: see ticket_renew.
UPDATE holdfast_claim SET ends_at = CASE WHEN held = 0 AND :held = 0 THEN GREATEST(ends_at, :ends_at) ELSE :ends_at END,
    held = :held, token = :token, since = :since, holds = :holds, permits = :permits, beside = :beside, owner = :owner,
    yields = :yields, called = :called
WHERE kind = :kind AND name = :name AND id = :id
