-- Ends whatever holds the lock or the semaphore, Holdfast's or Redisson's, or the one claim whose grant began with a token,
-- and tells those who wait.
--
-- KEYS    1 holders   2 record   3 ends   4 queue   5 claims: see line.lua
-- ARGV    1 channel   2 mode: P for a semaphore   3 the first token of the claim to end, or nothing for all
-- Answer  {'released', who heard of it, how many were called, why somebody did not hear} | {'free'}, also if
--         no claim has that token | {'foreign', why}
--
-- Only what looks like a lock is deleted: each field is "<uuid>:<n>" or a claim that is known. The record stays, so
-- that tokens go on rising.

-- include detail.lua
-- include line.lua

local line, why = open(1, redis.call('TIME'))
if not line then
    return {'foreign', why}
end
if line.held == 0 then
    return {'free'}
end
if line.held - line.shared > STRANGERS then
    return {'foreign', 'hash'}
end
local record = redis.pcall('GET', line.record)
local first, holder = string.match(type(record) == 'string' and record or '', '^%d+ (%d+) %d+ (%S+)')
local fields = redis.call('HKEYS', line.holders)
for _, field in ipairs(fields) do
    if field ~= holder and not string.match(field, '^%x+%-%x+%-%x+%-%x+%-%x+:%-?%d+$')
        and redis.call('HEXISTS', line.claims, field) == 0 then
        return {'foreign', 'hash'}
    end
end
if ARGV[3] ~= '' then
    local token, ended = tonumber(ARGV[3]), nil
    for _, field in ipairs(fields) do
        local detail = parse_detail(redis.call('HGET', line.claims, field))
        if (field == holder and tonumber(first) == token) or (detail and detail.token == token) then
            ended = field
        end
    end
    if not ended then
        return {'free'}
    end
    redis.call('ZREM', line.ends, ended)
    forget(line, ended)
    count(line)
    if line.held > 0 then
        keep_latest(line)
    end
else
    redis.call('DEL', line.holders, line.ends)
    for _, field in ipairs(fields) do
        redis.call('HDEL', line.claims, field)
    end
    line.held = 0
end
if ARGV[2] == 'P' then
    read_permits(line)
end
return freed(line, 'released', ARGV[1], line.held == 0)
