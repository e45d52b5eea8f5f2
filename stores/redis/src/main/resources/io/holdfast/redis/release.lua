-- Ends a claim and tells those who wait.
--
-- KEYS    1 the lock
-- ARGV    1 claim id   2 channel
-- Answer  {'released', who was told} | {'unheard', why} | {'gone'}
--
-- HDEL removes the hash with its last field. The record beside it stays, so that tokens go on rising; nobody takes it
-- for a holder's once the hash is gone. A claim that is not held is not told of: somebody else may hold the lock.
local removed = redis.pcall('HDEL', KEYS[1], ARGV[1])
if type(removed) == 'table' then
    if string.find(removed.err, 'WRONGTYPE', 1, true) then
        return {'gone'}
    end
    return removed
end
if removed == 0 then
    return {'gone'}
end
local told = redis.pcall('PUBLISH', ARGV[2], '0')
if type(told) == 'table' then
    return {'unheard', told.err}
end
return {'released', told}
