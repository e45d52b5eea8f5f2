-- Ends a claim, held or waiting, and tells those who wait, or grants to the first of them.
--
-- KEYS    1 holders   2 record   3 ends   4 queue   5 places   6 claims: see line.lua
-- ARGV    1 claim id   2 channel   3 mode   4 how long 2 outlives a lease (ms)   5 the key of the epoch, see epoch.lua, where
--         claims may be granted by a call, or nothing. It is read if it can be, and not declared: on a node of a cluster
--         that is taken for a single server it is in another slot
-- Answer  {'released' or, for a place in the queue, 'left', who heard of it, how many were called, why somebody did not
--         hear} | {'gone'}
--
-- HDEL removes the hash with its last field. The record beside it stays, so that tokens go on rising; nobody takes it
-- for a holder's once the hash is gone. A claim that is not there is not told of: somebody else may hold the lock.
--
-- The terms of a claim that may be granted by a call are "<tokens> <lease> <'f' if it is fair>[ y]". It is told on the
-- channel of its client: "<claim id> <place> <first token> <last token> <epoch>", and for each of the same client's that
-- come right behind it " <claim id> <place>".

-- include detail.lua

local id, mode, keep = ARGV[1], ARGV[3], tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local micros = time[1] * 1000000 + time[2]

-- One moment in fifteen nothing is granted by a call: those who don't queue, like Redisson's, get a lock only if it is free. The
-- number is prime, so that no usual period misses these moments.
local function is_for_all()
    return now % 61 < 4
end

-- Whether the first of those who wait turned out to be of a client that does not listen.
local deaf = false

-- Those of the same client who come right behind the first, as many as it has tokens for.
local function behind(first, tokens)
    local client, text = string.match(first, '^(.*):'), ''
    for _, other in ipairs(redis.call('ZRANGE', KEYS[4], 1, tokens - 1)) do
        if string.match(other, '^(.*):') ~= client then
            break
        end
        local detail = parse_detail(redis.call('HGET', KEYS[6], other))
        text = text .. string.format(' %s %.0f', other, detail and detail.since or 0)
    end
    return text
end

-- Grants to the first of those who wait, for as long as its place would have lasted, if it may be and its client hears it.
-- Nobody else holds the lock, but for the claim that is being released.
local function give()
    if ARGV[5] == '' or deaf or is_for_all() then
        return false
    end
    local first = redis.call('ZRANGE', KEYS[4], 0, 0)[1]
    local detail, owner = parse_detail(first and redis.call('HGET', KEYS[6], first))
    local tokens, lease, fair, mark = string.match(detail and detail.terms or '', '^ (%d+) (%d+) (%S)( ?y?)$')
    local ends = tokens and tonumber(redis.call('ZSCORE', KEYS[5], first) or 0)
    if not ends or ends <= now or detail.mode ~= 'X' then
        return false
    end
    local known = redis.pcall('GET', ARGV[5])
    local epoch, grants = string.match(type(known) == 'string' and known or '', '^(%S+) %d+ (%d+)$')
    local record = redis.call('GET', KEYS[2])
    local last = tonumber(string.match(record or '', '^(%d+) %d+ %d+ %S') or string.match(record or '', '^%d+$') or 0)
    local token = math.max(last + 1, micros)
    local taken = token + tokens - 1
    if not epoch or tonumber(grants) > now or taken >= 9007199254740992 then
        return false
    end
    local stay = math.min(ends - now, tonumber(lease))
    local kept = string.format('%.0f', stay + keep + math.max(0, math.ceil((taken - micros) / 1000)))
    -- A full server may refuse this one, and then nothing has changed.
    local written = redis.pcall('SET', KEYS[2],
        string.format('%.0f %.0f %.0f %s%s\n%s', taken, token, micros, first, mark, owner), 'PX', kept)
    if written.err then
        return false
    end
    redis.call('HSET', KEYS[1], first, detail.holds)
    local expires = redis.pcall('PEXPIRE', KEYS[1], stay)
    local told = expires == 1 and redis.pcall('PUBLISH', 'holdfast:calls:' .. (string.match(first, '^(.*):') or first),
        string.format('%s %.0f %.0f %.0f %s%s', first, detail.since, token, taken, epoch,
            fair == 'f' and behind(first, tokens) or ''))
    if type(told) ~= 'number' or told == 0 then
        redis.call('HDEL', KEYS[1], first)
        if record then
            redis.call('SET', KEYS[2], record, 'PX', kept) -- nobody has heard of these tokens
        end
        deaf = true
        return false
    end
    redis.call('ZREM', KEYS[4], first)
    redis.call('ZREM', KEYS[5], first)
    redis.call('HDEL', KEYS[6], first)
    return true
end

-- The most frequent case where processes compete: it is alone with the lock, and somebody waits.
if mode == 'X' and redis.call('EXISTS', KEYS[3]) == 0 and redis.pcall('HLEN', KEYS[1]) == 1
    and redis.call('HEXISTS', KEYS[1], id) == 1 and give() then
    redis.call('HDEL', KEYS[1], id)
    return {'released', 0, 1, ''}
end

-- include line.lua

local line = open(1, time)
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
    keep_latest(line)
end
if held and line.held == 0 and mode ~= 'P' and give() then
    return {'released', 0, 1, ''}
end
if mode == 'P' then
    read_permits(line)
end
return freed(line, held and 'released' or 'left', ARGV[2], held and line.held == 0)
