-- Whoever has the row locked is waited for a second and no longer: others are renewed with it. MariaDB reads the comment;
-- in MySQL it is the session that says so.
/*M!100200 SET STATEMENT innodb_lock_wait_timeout = 1 FOR */
UPDATE holdfast_lock SET ends_at = GREATEST(ends_at, {now} + :lease), holds = :holds
WHERE kind = 0 AND name = :name AND holder = :id AND ends_at > {now}
