-- Deletes a latch if it is the one with this id. Who has counted it down is remembered, for the next one of that name.
--
-- KEYS    1 the latch: hash { id, count, since }
-- ARGV    1 id   2 channel
-- Answer  {'deleted'} | {'other'}
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then
    return {'other'}
end
redis.call('DEL', KEYS[1])
local TELL = 'PUBLISH'
redis.pcall(TELL, ARGV[2], '0')
return {'deleted'}
