-- Changes how many permits a semaphore has, and calls those whose turn it is now.
--
-- KEYS    1 holders   2 record   3 ends   4 queue   5 claims: see line.lua   6 zset { id of a change -> when }
-- ARGV    1 id of the change   2 by how many   3 how many it has if it is not known yet   4 how long it is kept (ms)
--         5 how many changes are remembered at most
-- Answer  {'permits', how many it has then, how many were called, why somebody did not hear} | {'foreign', why}
--
-- Run twice, it changes once, as the ids of changes are remembered for as long as a semaphore that nobody uses.

-- include detail.lua
-- include line.lua

local keep = tonumber(ARGV[4])
local line, why = open(1, redis.call('TIME'))
if not line or why then
    return {'foreign', why}
end
local last, capacity = string.match(redis.call('GET', line.record) or '', '^(%d+) (%d+)$')
capacity = tonumber(capacity or ARGV[3])
local known = redis.call('ZSCORE', KEYS[6], ARGV[1])
if not known then
    capacity = math.max(0, math.min(2147483647, capacity + tonumber(ARGV[2])))
end
redis.call('SET', line.record, string.format('%s %.0f', last or '0', capacity),
    'PX', math.max(keep, redis.call('PTTL', line.record)))
if not known then
    redis.call('PEXPIRE', KEYS[6], keep)
    redis.call('ZADD', KEYS[6], line.now, ARGV[1])
    redis.call('PEXPIRE', KEYS[6], keep)
    redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', line.now - keep)
    redis.call('ZREMRANGEBYRANK', KEYS[6], 0, -1 - tonumber(ARGV[5]))
end
read_permits(line)
local called, silence = call_next(line)
return {'permits', capacity, called, silence}
