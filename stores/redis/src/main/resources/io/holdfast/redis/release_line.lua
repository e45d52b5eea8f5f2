-- Ends a claim, held or waiting, and tells those that wait, or grants to the first of them.
--
-- KEYS    1 holders   2 record   3 ends   4 queue   5 claims: see line.lua
-- ARGV    1 claim id   2 channel   3 mode   4 how long 2 outlives a lease (ms)   5 the key of the epoch, see epoch.lua, where
--         claims may be granted by a call, or nothing. It is read if it can be, and not declared: on a node of a cluster
--         that is taken for a single server it is in another slot   6 how many of those that hear the channel are the client's own
-- Answer  {'released' or, for a place in the queue, 'left', who heard of it, how many were called, why somebody did not
--         hear} | {'gone'}
--
-- HDEL removes the hash with its last field. The record beside it stays, so that tokens go on rising; nobody takes it
-- for a holder's once the hash is gone. A claim that is not there is not told of: somebody else may hold the lock.
--
-- A claim is granted by a call on the channel of its client: "<claim id> <place> <first token> <last token> <epoch>", and for
-- each of the same client's that come right behind it " <claim id> <place>".
--
-- Clients that know nothing of the queue, like Redisson's, are told on the name's channel and get the lock only if it is free.
-- So after so many turns of claims that waited the channel is tried. If it is heard, the lock is left free, and the first that
-- waits is called to come a moment later: "<claim id> later".
local TURNS = 4

-- include detail.lua

local id, channel, mode = ARGV[1], ARGV[2], ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- The first of those that wait whose place has not ended: its id, the number of its place, and its detail.
local function first_waiting()
    while true do
        local first = redis.call('ZRANGE', KEYS[4], 0, 0, 'WITHSCORES')
        if not first[1] then
            return nil
        end
        local claim = parse_waiting(redis.call('HGET', KEYS[5], first[1]))
        if claim and claim.ends > now then
            return first[1], first[2], claim
        end
        redis.call('ZREM', KEYS[4], first[1])
        redis.call('HDEL', KEYS[5], first[1])
    end
end

local function tell(client_of, message)
    return redis.pcall('PUBLISH', 'holdfast:calls:' .. (string.match(client_of, '^(.*):') or client_of), message)
end

-- Those of the same client that come right behind the first, as many as it has tokens for.
local function behind(first, tokens)
    local client, text = string.match(first, '^(.*):'), ''
    local others = redis.call('ZRANGE', KEYS[4], 1, tokens - 1, 'WITHSCORES')
    for i = 1, #others, 2 do
        if string.match(others[i], '^(.*):') ~= client then
            break
        end
        text = string.format('%s %s %.0f', text, others[i], others[i + 1])
    end
    return text
end

-- Grants to the first of those that wait, for as long as its place would have lasted, if its client hears it.
local function grant(first, number, claim, epoch, record, turns)
    local last = tonumber(string.match(record or '', '^(%d+) %d+ %d+ %S') or string.match(record or '', '^%d+$') or 0)
    local micros = time[1] * 1000000 + time[2]
    local token = math.max(last + 1, micros)
    local taken = token + claim.tokens - 1
    if taken >= 9007199254740992 then
        return false
    end
    local stay = math.min(claim.ends - now, claim.lease)
    local kept = stay + ARGV[4] + math.max(0, math.ceil((taken - micros) / 1000))
    local mark = string.find(claim.flags, 'y', 1, true) and ' y' or ''
    redis.call('SET', KEYS[2], string.format('%.0f %.0f %.0f %s%s%s\n%s', taken, token, micros, first, mark,
        turns > 0 and ' ' .. turns or '', claim.owner), 'PX', string.format('%.0f', kept))
    redis.call('HSET', KEYS[1], first, claim.holds)
    local expires = redis.pcall('PEXPIRE', KEYS[1], stay)
    local told = expires == 1 and tell(first, string.format('%s %.0f %.0f %.0f %s%s', first, number, token, taken, epoch,
        string.find(claim.flags, 'f', 1, true) and claim.tokens > 1 and behind(first, claim.tokens) or ''))
    if type(told) ~= 'number' or told == 0 then
        redis.call('HDEL', KEYS[1], first)
        if record then
            redis.call('SET', KEYS[2], record, 'PX', string.format('%.0f', kept)) -- nobody has heard of these tokens
        end
        return false
    end
    redis.call('ZREM', KEYS[4], first)
    redis.call('HDEL', KEYS[5], first, id)
    return true
end

local function note_turns(record, turns)
    local first_line, owner = string.match(record or '', '^(%d+ %d+ %d+ %S+)[^\n]*(\n.*)$')
    if first_line then
        redis.call('SET', KEYS[2], string.format('%s %d%s', first_line, turns, owner), 'KEEPTTL')
    end
end

-- Passes a lock that nobody holds any more on to the first of those that wait. Nothing if that is no exclusive claim, or its
-- client does not hear.
local function pass_on()
    local first, number, claim = first_waiting()
    if not first or claim.mode ~= 'X' then
        return nil
    end
    local record = redis.call('GET', KEYS[2])
    local turns = tonumber(string.match(record or '', '^%d+ %d+ %d+ %S+ ?y? (%d+)\n') or 0)
    local tried = turns == 0
    if tried then
        local heard = redis.pcall(TELL, channel, '0')
        local strangers = type(heard) == 'number' and heard - ARGV[6] or 0
        if strangers > 0 then
            -- As many turns for each of them as for each client that waits, the one that leaves included.
            note_turns(record, math.ceil((redis.call('ZCARD', KEYS[4]) + 1) / strangers))
            tell(first, first .. ' later')
            return {'released', heard, 1, ''}
        end
        turns = TURNS
    end
    local known = ARGV[5] ~= '' and string.find(claim.flags, 'c', 1, true) and redis.pcall('GET', ARGV[5])
    local epoch, grants = string.match(type(known) == 'string' and known or '', '^(%S+) %d+ (%d+)$')
    if epoch and tonumber(grants) <= now then
        return grant(first, number, claim, epoch, record, turns - 1) and {'released', 0, 1, ''}
    end
    if tried then
        note_turns(record, turns)
    end
    local told = tell(first, first)
    return type(told) == 'number' and told > 0 and {'released', 0, 1, ''}
end

-- The most frequent case where processes compete: it was alone with the lock.
local held = mode == 'X' and redis.pcall('HDEL', KEYS[1], id) == 1
local alone = held and redis.call('EXISTS', KEYS[1]) == 0
local passed = alone and pass_on()
if passed then
    return passed
end

-- include line.lua

local line = open(1, time)
if not line then
    return {'gone'}
end
local first = redis.call('ZRANGE', KEYS[4], 0, 0)[1]
held = held or redis.call('HDEL', line.holders, id) == 1
local waited = leave_queue(line, id)
if not held and not waited then
    return {'gone'}
end
redis.call('ZREM', line.ends, id)
redis.call('HDEL', line.claims, id)
count(line)
if held and line.held > 0 then
    keep_latest(line)
end
if held and line.held == 0 and mode ~= 'P' and not alone then
    passed = pass_on()
    if passed then
        return passed
    end
end
if waited and first == id and mode ~= 'P' and has_stranger(line, redis.call('GET', line.record) or '') then
    -- The next one watches the name from now on.
    first = first_waiting()
    if first then
        tell(first, first)
    end
end
if mode == 'P' then
    read_permits(line)
end
return freed(line, held and 'released' or 'left', channel, held and line.held == 0)
