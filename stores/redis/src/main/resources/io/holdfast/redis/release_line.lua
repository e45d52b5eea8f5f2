-- Ends a claim, held or waiting, and tells those that wait, or grants to the first of them.
--
-- KEYS    1 holders   2 record   3 ends   4 queue   5 claims: see line.lua
-- ARGV    1 claim id   2 channel   3 mode   4 how long 2 outlives a lease (ms)   5 the key of the epoch, see epoch.lua, where
--         claims may be granted by a call, or nothing. It is read if it can be, and not declared: on a node of a cluster
--         that is taken for a single server it is in another slot   6 how many of those that hear the channel are the client's own
-- Answer  {'passed'} if the first that waits has it now, or is called | {'released' or, for a place in the queue, 'left', who
--         heard of it, how many were called, why somebody did not hear} | {'gone'}
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

-- How those that hear the name's channel are told; see Script.java.
local TELL = 'PUBLISH'

-- Here and in claim_line.lua numbers go to a command as text where there is one already: a script that hands over a double has it
-- printed, which takes the server about as long as a short command does.

local call, pcall = redis.call, redis.pcall
local id, channel, mode = ARGV[1], ARGV[2], ARGV[3]
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function tell(client_of, message)
    return pcall('PUBLISH', 'holdfast:calls:' .. (string.match(client_of, '^(.*):') or client_of), message)
end

-- Those of the same client that come right behind the first, as many as it has tokens for. Most often there is none: the
-- second of all that wait is known.
local function behind(first, second, tokens)
    local client, text = string.match(first, '^(.*):'), ''
    if not second or string.match(second, '^(.*):') ~= client then
        return text
    end
    local others = call('ZRANGE', KEYS[4], 1, tokens - 1, 'WITHSCORES')
    for i = 1, #others, 2 do
        if string.match(others[i], '^(.*):') ~= client then
            break
        end
        text = string.format('%s %s %.0f', text, others[i], others[i + 1])
    end
    return text
end

local function note_turns(record, turns)
    local first_line, owner = string.match(record or '', '^(%d+ %d+ %d+ %S+)[^\n]*(\n.*)$')
    if first_line then
        call('SET', KEYS[2], string.format('%s %d%s', first_line, turns, owner), 'KEEPTTL')
    end
end

-- Passes a lock that nobody holds any more on to the first of those that wait: grants it to that one, for as long as its place
-- would have lasted, or calls it. Nothing if that is no exclusive claim, or its client does not hear. Places that have ended are
-- dropped.
local function pass_on()
    local queued, first, ends, claim_mode, holds, tokens, lease, flags, owner
    repeat
        queued = call('ZRANGE', KEYS[4], '0', '1', 'WITHSCORES')
        first = queued[1]
        if not first then
            return nil
        end
        ends, claim_mode, holds, tokens, lease, flags, owner =
            string.match(call('HGET', KEYS[5], first) or '', '^(%d+) (%a) %d+ (%d+) %S* (%d+) (%d+) (%S+)\n(.*)$')
        local lasts = ends and tonumber(ends) > now
        if not lasts then
            call('ZREM', KEYS[4], first)
            call('HDEL', KEYS[5], first)
        end
    until lasts
    if claim_mode ~= 'X' then
        return nil
    end
    local record = call('GET', KEYS[2])
    local turns = tonumber(string.match(record or '', '^%d+ %d+ %d+ %S+ ?y? (%d+)\n') or 0)
    local tried = turns == 0
    if tried then
        local heard = pcall(TELL, channel, '0')
        local strangers = type(heard) == 'number' and heard - ARGV[6] or 0
        if strangers > 0 then
            -- As many turns for each of them as for each client that waits, the one that leaves included.
            note_turns(record, math.ceil((call('ZCARD', KEYS[4]) + 1) / strangers))
            tell(first, first .. ' later')
            return {'released', heard, 1, ''}
        end
        turns = TURNS
    end
    local known = ARGV[5] ~= '' and string.find(flags, 'c', 1, true) and pcall('GET', ARGV[5])
    local epoch, grants = string.match(type(known) == 'string' and known or '', '^(%S+) %d+ (%d+)$')
    if not epoch or tonumber(grants) > now then
        if tried then
            note_turns(record, turns)
        end
        local told = tell(first, first)
        return type(told) == 'number' and told > 0 and {'passed'}
    end

    local last = tonumber(string.match(record or '', '^(%d+) %d+ %d+ %S') or string.match(record or '', '^%d+$') or 0)
    local micros = time[1] * 1000000 + time[2]
    local token = math.max(last + 1, micros)
    local taken = token + tokens - 1
    if taken >= 9007199254740992 then
        return nil
    end
    local stay = math.min(ends - now, lease)
    local kept = stay + ARGV[4] + math.max(0, math.ceil((taken - micros) / 1000))
    local since = time[1] .. string.sub('00000' .. time[2], -6)
    local from = token == micros and since or string.format('%.0f', token)
    local to = taken == token and from or string.format('%.0f', taken)
    call('SET', KEYS[2], to .. ' ' .. from .. ' ' .. since .. ' ' .. first .. (string.find(flags, 'y', 1, true) and ' y' or '')
        .. (turns > 1 and ' ' .. turns - 1 or '') .. '\n' .. owner, 'PX', kept)
    call('HSET', KEYS[1], first, holds)
    local expires = pcall('PEXPIRE', KEYS[1], stay)
    local told = expires == 1 and tell(first, first .. ' ' .. queued[2] .. ' ' .. from .. ' ' .. to .. ' ' .. epoch
        .. (tokens ~= '1' and string.find(flags, 'f', 1, true) and behind(first, queued[3], tokens) or ''))
    if type(told) ~= 'number' or told == 0 then
        call('HDEL', KEYS[1], first)
        if record then
            call('SET', KEYS[2], record, 'PX', kept) -- nobody has heard of these tokens
        end
        return nil
    end
    if queued[3] then
        call('ZREM', KEYS[4], first)
        call('HDEL', KEYS[5], first, id)
    else -- no claim waits any more, and none held besides the one that is gone
        call('DEL', KEYS[4], KEYS[5])
    end
    return {'passed'}
end

-- The most frequent case where processes compete: it was alone with the lock.
local held = mode == 'X' and pcall('HDEL', KEYS[1], id) == 1
local alone = held and call('EXISTS', KEYS[1]) == 0
local passed = alone and pass_on()
if passed then
    return passed
end

-- include detail.lua
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
    each_waiting(line, '', function(next)
        tell(next, next)
        return false
    end)
end
if mode == 'P' then
    read_permits(line)
end
return freed(line, held and 'released' or 'left', channel, held and line.held == 0)
