-- Shows a latch, and keeps it.
--
-- KEYS    1 the latch: hash { id, count, since }   2 zset { id of a count -> when, s }
-- ARGV    1 how long it is kept (ms)
-- Answer  {'latch', id, count} | {'none'}
local id, count = unpack(redis.call('HMGET', KEYS[1], 'id', 'count'))
if not id then
    return {'none'}
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return {'latch', id, count}
