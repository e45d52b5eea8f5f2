-- Ends whatever holds the lock, Holdfast's or Redisson's, and tells those who wait.
--
-- KEYS    1 the lock   2 the record beside it
-- ARGV    1 channel
-- Answer  {'released', who was told} | {'unheard', why} | {'free'} | {'foreign', why}
--
-- Only what looks like a lock is deleted: each field is "<uuid>:<n>" or the claim that the record names. The record
-- stays, so that tokens go on rising.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then
    return {'free'}
end
if kind ~= 'hash' then
    return {'foreign', kind}
end
if redis.call('HLEN', KEYS[1]) > 64 then
    return {'foreign', 'hash'}
end
local record = redis.pcall('GET', KEYS[2])
local holder = type(record) == 'string' and string.match(record, '^%d+ %d+ %d+ (%S+)')
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    if field ~= holder and not string.match(field, '^%x+%-%x+%-%x+%-%x+%-%x+:%-?%d+$') then
        return {'foreign', 'hash'}
    end
end
redis.call('DEL', KEYS[1])
local told = redis.pcall('PUBLISH', ARGV[1], '0')
if type(told) == 'table' then
    return {'unheard', told.err}
end
return {'released', told}
