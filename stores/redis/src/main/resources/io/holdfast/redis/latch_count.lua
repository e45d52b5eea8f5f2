-- Counts a latch down by one, if it is there and not open.
--
-- KEYS    1 the latch: hash { id, count, since }   2 zset { id of a count -> when, s }
-- ARGV    1 id of the count   2 channel   3 how long the latch is kept (ms)   4 how long a count is remembered that was
--         another's latch (s)
-- Answer  {'latch', id, count}, as it is then | {'none'}
--
-- Run twice, it counts once. A latch remembers its counts for as long as it lives, and those of its predecessors for a
-- while: a repetition that is late must not count on the next one.
local id, count, since = unpack(redis.call('HMGET', KEYS[1], 'id', 'count', 'since'))
if not id then
    return {'none'}
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
if count == '0' or redis.call('ZSCORE', KEYS[2], ARGV[1]) then
    return {'latch', id, count}
end
local now = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. math.min(tonumber(since), now - tonumber(ARGV[4])))
redis.call('HINCRBY', KEYS[1], 'count', -1)
count = redis.call('HGET', KEYS[1], 'count')
if count == '0' then
    local TELL = 'PUBLISH'
    redis.pcall(TELL, ARGV[2], '0')
end
return {'latch', id, count}
