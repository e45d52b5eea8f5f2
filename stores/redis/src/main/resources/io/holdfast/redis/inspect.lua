-- What is known of a lock, at one moment.
--
-- KEYS    1 the lock   2 the record beside it
-- Answer  {'held', ms left, record or '', {field, value, ...}} | {'free'} | {'foreign', why}
--
-- A large hash is somebody's data, not a lock, and is not read.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then
    return {'free'}
end
if kind ~= 'hash' then
    return {'foreign', kind}
end
local left = redis.call('PTTL', KEYS[1])
if left == -1 then
    return {'foreign', 'no expiry'}
end
if redis.call('HLEN', KEYS[1]) > 64 then
    return {'foreign', 'hash'}
end
local record = redis.pcall('GET', KEYS[2])
return {'held', left, type(record) == 'string' and record or '', redis.call('HGETALL', KEYS[1])}
