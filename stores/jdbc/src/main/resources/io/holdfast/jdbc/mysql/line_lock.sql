-- Whoever has a row locked is waited for a second; after that the command runs again. MariaDB reads the comment; in MySQL
-- it is the session that says so. Rows are looked up by their keys: a scan would wait for rows of other names, too.
SELECT {now} AS now_at, name, holder, token, since, ends_at, holds, owner, yields, called, last_token, others, capacity,
    changes, used_at, (SELECT token_floor FROM holdfast_schema WHERE id = 1) AS token_floor
FROM holdfast_lock FORCE INDEX (PRIMARY)
WHERE kind = :kind AND name IN (:names...) ORDER BY name FOR UPDATE /*M!100300 WAIT 1 */
