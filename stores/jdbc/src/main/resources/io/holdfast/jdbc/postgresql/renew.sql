-- Whoever has the row locked is waited for a second and no longer: others are renewed with it.
UPDATE holdfast_lock SET ends_at = GREATEST(ends_at, {now} + :lease), holds = :holds
FROM (SELECT set_config('lock_timeout', '1s', true)) patience
WHERE kind = 0 AND name = :name AND holder = :id AND ends_at > {now}
