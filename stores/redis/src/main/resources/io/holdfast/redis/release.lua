-- Ends an exclusive claim that is alone with its lock, and tells those who wait for it.
--
-- KEYS    1 the lock   2 the claims of all who are not alone with it: see line.lua
-- ARGV    1 claim id   2 channel
-- Answer  if it is released, how many heard of it, alone, since a table would cost a tenth of the script
--         {'released', 0, 0, why nobody heard of it} | {'gone'} | {'look'}, with release_line.lua
--
-- HDEL removes the hash with its last field. The record beside it stays, so that tokens go on rising; nobody takes it
-- for a holder's once the hash is gone. A claim that is not held is not told of: somebody else may hold the lock.
if redis.call('EXISTS', KEYS[2]) == 1 then
    return {'look'}
end
local removed = redis.pcall('HDEL', KEYS[1], ARGV[1])
if type(removed) == 'table' and not string.find(removed.err, 'WRONGTYPE', 1, true) then
    return removed
end
if removed ~= 1 then
    return {'gone'}
end
local TELL = 'PUBLISH'
local told = redis.pcall(TELL, ARGV[2], '0')
if type(told) == 'table' then
    return {'released', 0, 0, told.err}
end
return told
