UPDATE holdfast_lock SET ends_at = GREATEST(ends_at, {now} + :lease), holds = :holds
WHERE kind = 0 AND name = :name AND holder = :id AND ends_at > {now}
