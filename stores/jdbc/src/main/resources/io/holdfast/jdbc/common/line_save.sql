UPDATE holdfast_lock SET holder = :holder, token = :token, since = :since, ends_at = :ends_at, holds = :holds,
    owner = :owner, yields = :yields, called = :called, last_token = :last_token, others = :others,
    capacity = :capacity, changes = :changes, used_at = :used_at
WHERE kind = :kind AND name = :name
