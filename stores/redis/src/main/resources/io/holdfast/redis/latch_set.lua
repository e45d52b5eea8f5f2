-- Sets a latch if there is none.
--
-- KEYS    1 the latch: hash { id, count, since }   2 zset { id of a count -> when }
-- ARGV    1 id   2 count   3 channel   4 how long it is kept (ms)
-- Answer  {'latch', id, count}, as it is then
local id, count = unpack(redis.call('HMGET', KEYS[1], 'id', 'count'))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
if id then
    return {'latch', id, count}
end
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'count', ARGV[2], 'since', redis.call('TIME')[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
local TELL = 'PUBLISH'
redis.pcall(TELL, ARGV[3], '0')
return {'latch', ARGV[1], ARGV[2]}
