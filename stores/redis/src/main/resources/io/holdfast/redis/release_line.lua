-- Ends a claim, held or waiting, and tells those who wait.
--
-- KEYS    1 holders   2 record   3 ends   4 queue   5 places   6 claims: see line.lua
-- ARGV    1 claim id   2 channel   3 mode
-- Answer  {'released' or, for a place in the queue, 'left', who heard of it, how many were called, why somebody did not
--         hear} | {'gone'}
--
-- HDEL removes the hash with its last field. The record beside it stays, so that tokens go on rising; nobody takes it
-- for a holder's once the hash is gone. A claim that is not there is not told of: somebody else may hold the lock.

-- include line.lua

local id = ARGV[1]
local line = open(1, redis.call('TIME'))
if not line then
    return {'gone'}
end
local held = redis.call('HDEL', line.holders, id) == 1
local waited = leave_queue(line, id) == 1
if not held and not waited then
    return {'gone'}
end
redis.call('ZREM', line.ends, id)
redis.call('HDEL', line.claims, id)
count(line)
if held and line.held > 0 then
    -- The hash lasts as long as the last of those who stay.
    local latest = tonumber(redis.call('ZRANGE', line.ends, -1, -1, 'WITHSCORES')[2] or 0)
    each_beside(line, function(_, _, at)
        latest = math.max(latest, at)
    end)
    if latest > line.now then
        redis.call('PEXPIRE', line.holders, latest - line.now)
    end
end
if ARGV[3] == 'P' then
    read_permits(line)
end
return freed(line, held and 'released' or 'left', ARGV[2], held and line.held == 0)
