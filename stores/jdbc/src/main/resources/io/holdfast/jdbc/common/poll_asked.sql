-- Who has the locks that this client may not need any more, and how often others asked for them.
SELECT name, holder, called FROM holdfast_lock WHERE kind = 0 AND name IN (:names...)
