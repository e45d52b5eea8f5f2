UPDATE holdfast_claim SET held = :held, token = :token, since = :since, ends_at = :ends_at, holds = :holds,
    permits = :permits, beside = :beside, owner = :owner, yields = :yields,
    called = :called
WHERE kind = :kind AND name = :name AND id = :id
