INSERT INTO holdfast_claim
    (kind, name, id, client, mode, held, place, token, since, ends_at, holds, permits, beside, owner, yields,
    called)
VALUES (:kind, :name, :id, :client, :mode, :held, :place, :token, :since, :ends_at, :holds, :permits, :beside, :owner,
    :yields, :called)
