-- What has changed, for all that one client watches.
SELECT kind AS what, name, changes AS changed FROM holdfast_lock WHERE kind IN (0, 1) AND name IN (:names...)
UNION ALL
SELECT 2, name, changes FROM holdfast_latch WHERE name IN (:names...)
