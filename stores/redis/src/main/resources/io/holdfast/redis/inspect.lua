-- What is known of a lock or a semaphore, at one moment. It changes nothing: what has ended is still in the answer.
--
-- KEYS    1 holders   2 record   3 ends   4 queue   5 claims: see line.lua
-- Answer  {'line', now (ms), ms left of the holders or -2, record or '', holders, ends, queue in order, claims},
--         pairs from the holders on | {'foreign', why}
--
-- A large hash is somebody's data, not a lock, and is not read.
local left = redis.call('PTTL', KEYS[1])
local holders = {}
if left ~= -2 then
    local kind = redis.call('TYPE', KEYS[1]).ok
    if kind ~= 'hash' then
        return {'foreign', kind}
    end
    if left == -1 then
        return {'foreign', 'no expiry'}
    end
    if redis.call('HLEN', KEYS[1]) - redis.call('ZCARD', KEYS[3]) > 64 then
        return {'foreign', 'hash'}
    end
    holders = redis.call('HGETALL', KEYS[1])
end
local time = redis.call('TIME')
local record = redis.pcall('GET', KEYS[2])
return {
    'line', time[1] * 1000 + math.floor(time[2] / 1000), left, type(record) == 'string' and record or '', holders,
    redis.call('ZRANGE', KEYS[3], 0, -1, 'WITHSCORES'), redis.call('ZRANGE', KEYS[4], 0, -1, 'WITHSCORES'),
    redis.call('HGETALL', KEYS[5]),
}
