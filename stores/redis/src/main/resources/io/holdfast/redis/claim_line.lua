-- Grants a claim if the rule allows it; otherwise it waits, in the queue if it wants to.
--
-- KEYS    1 holders   2 record   3 ends   4 queue   5 claims: see line.lua
-- ARGV    1 claim id   2 lease (ms)   3 holds   4 how many tokens   5 owner   6 how long 2 outlives the lease (ms)
--         7 'y' if it may be called when others ask, or nothing   8 turn: 'x' if it is exclusive and no other claim may
--         stand beside it, then 'q' if it takes a place, then 'b' if it passes those that wait   9 how long a place is kept
--         (ms)   10 its detail while it waits, without end and owner: see line.lua   11 how many permits a semaphore has that
--         is not known yet   12 the smallest token that it may have
-- Answer  {'granted', first token[, {the same client's that come right behind it, each with the number of its place}]}
--         | {'busy', ms left, number of its place[, 1 if it is to watch the name]} | {'few', how many permits there are}
--         | {'foreign', why}
--
-- It is to watch the name where a client that knows nothing of the queue has the lock, and no claim that waits comes first.
--
-- Run twice, it answers the same, except for who is behind it, and leaves the same: a claim that is held keeps its tokens, and its lease is never
-- made shorter; one that waits keeps its place. The token never falls behind the clock nor behind the last one, so it
-- rises even if the record is evicted or the clock steps back.

local call, pcall = redis.call, redis.pcall
local there = call('EXISTS', KEYS[1], KEYS[4])
local turn, place = ARGV[8], ARGV[9]
local time = call('TIME')
local micros = time[1] * 1000000 + time[2]
local lasting = string.format('%d', place + 1000)

local function write_waiting()
    call('HSET', KEYS[5], ARGV[1],
        string.format('%013.0f', math.floor(micros / 1000) + place) .. ' ' .. ARGV[10] .. '\n' .. ARGV[5])
end

-- Takes the place of that number, as text: true, false if it has a place, or an error.
local function take_place(number)
    if call('ZADD', KEYS[4], 'NX', number, ARGV[1]) == 0 then
        return false
    end
    local expires = pcall('PEXPIRE', KEYS[4], lasting)
    if expires ~= 1 then
        -- Where that is not allowed, nothing may stay.
        if pcall('ZREM', KEYS[4], ARGV[1]) ~= 1 then
            call('SET', KEYS[4], '', 'PX', 1)
        end
        return expires
    end
    write_waiting()
    return true
end

-- The number of the place behind the last one, as text: the clock's, unless that was set back.
local function next_number(last)
    if last and last + 1 > micros then
        return string.format('%.0f', last + 1)
    end
    return time[1] .. string.sub('00000' .. time[2], -6)
end

-- The most frequent case where processes compete: a claim of Holdfast's has the lock alone, and this one takes a place.
if there > 0 and string.find(turn, 'xq', 1, true) then
    local holder, asked = string.match(call('GET', KEYS[2]) or '', '^%d+ %d+ %d+ (%S+)( ?y?)')
    local held = holder and holder ~= ARGV[1] and pcall('HGET', KEYS[1], holder)
    if type(held) == 'string' and not string.find(held, ' ', 1, true) then
        local last = there == 2 and call('ZRANGE', KEYS[4], '-1', '-1', 'WITHSCORES')[2]
        local waits = last and turn == 'xq'
        local left = waits and place or call('PTTL', KEYS[1])
        local number = next_number(last)
        local taken = left ~= -1 and take_place(number)
        if taken == true then
            call('PEXPIRE', KEYS[5], lasting)
            if asked == ' y' then
                pcall('PUBLISH', 'holdfast:calls:' .. (string.match(holder, '^(.*):') or holder), holder .. ' revoke')
            end
            return {'busy', left, number}
        elseif taken then
            return taken
        end
    end
end

-- include take.lua

-- The next most frequent: nobody there.
if there == 0 and string.find(turn, 'x', 1, true) then
    return take(time)
end

-- include detail.lua
-- include line.lua

local mode, permits, beside = string.match(ARGV[10], '^(%a) (%d+) %d+ (%S*)')
local claim = {
    mode = mode, permits = tonumber(permits), token = 0, since = micros, holds = tonumber(holds), beside = beside,
}
local line, why = open(1, time)
if not line or why then
    return {'foreign', why}
end
local stored = redis.call('HGET', line.holders, id)

-- ---- tokens ----

local record = redis.call('GET', line.record) or ''
local last, rest
if mode == 'P' then
    last, rest = string.match(record, '^(%d+)( %d+)$')
    rest = rest or ' ' .. ARGV[11]
else
    last, rest = string.match(record, '^(%d+)( %d+ %d+ %S.*)$')
    last = last or string.match(record, '^%d+$')
end
last = tonumber(last or 0)
if spent(last) then
    return {'foreign', 'tokens'}
end

-- Keeps the one that is in the record, if there is one. A shared claim never is.
local function write_record(first, left)
    local taken = math.max(last, first + tokens - 1)
    local alone = mode == 'X' and string.format(' %.0f %.0f %s%s\n%s', first, claim.since, id, mark, owner)
    redis.call('SET', line.record, string.format('%.0f', taken) .. (rest or alone or ''),
        'PX', string.format('%.0f', left + kept(taken, micros)))
end

if mode == 'P' then
    if not string.match(record, '^%d+ %d+$') then
        redis.call('SET', line.record, '0' .. rest, 'PX', keep)
    end
    read_permits(line)
end

-- ---- a claim that is held already ----

if stored then
    local detail = parse_detail(redis.call('HGET', line.claims, id))
    local first, since, holder = string.match(rest or '', '^ (%d+) (%d+) (%S+)')
    if detail then
        claim.token, claim.since = detail.token, detail.since
    elseif mode ~= 'P' and holder == id then
        claim.token, claim.since = tonumber(first), tonumber(since)
    else
        claim.token = math.max(last + 1, micros)
    end
    if claim.token < floor then
        -- Beyond its own tokens only what nobody has had.
        local free = claim.token + tokens - 1 == last and floor or last + 1
        claim.token = math.max(floor, free)
    end
    local stay = math.max(line.left, lease)
    -- A full server refuses what needs memory, unless the script has written before: what is held is extended all the same.
    redis.call('PEXPIRE', line.holders, stay)
    local ends = redis.call('ZSCORE', line.ends, id)
    local _, at = string.match(stored, '^(%d+) (%d+)$')
    if ends then
        redis.call('ZADD', line.ends, math.max(tonumber(ends), line.now + lease), id)
        extend(line.ends, stay + SPARE)
    elseif at then
        holds = string.format('%s %.0f', holds, math.max(tonumber(at), line.now + lease))
    end
    if mode == 'P' then
        claim.permits = math.min(claim.permits, tonumber(stored))
        holds = claim.permits
    end
    if ends or at or mode == 'P' then
        write_detail(line, id, claim, owner, stay)
    else
        rest = nil
    end
    write_record(claim.token, stay)
    redis.call('HSET', line.holders, id, holds)
    return {'granted', string.format('%.0f', claim.token)}
end

-- ---- one that is not ----

local queued = redis.call('ZSCORE', line.queue, id)
if queued then
    local waited = parse_waiting(redis.call('HGET', line.claims, id))
    if is_impossible(line, claim) or not waited or waited.ends <= line.now then
        leave_queue(line, id)
        queued = nil
    end
end
if is_impossible(line, claim) then
    return {'few', line.capacity}
end

-- Its client may pass the lock on to these by itself, for as many as it has tokens.
local function behind()
    local client, ids = string.match(id, '^(.*):'), {}
    local others = tokens > 1 and redis.call('ZRANGE', line.queue, 0, tokens - 2, 'WITHSCORES') or {}
    for i = 1, #others, 2 do
        if string.match(others[i], '^(.*):') ~= client then
            break
        end
        ids[#ids + 1] = others[i]
        ids[#ids + 1] = string.format('%.0f', others[i + 1])
    end
    return ids
end

local barges = string.find(turn, 'b', 1, true)
local up_to = queued and id or ''
local first = barges and (not queued or string.find(ARGV[10], 'c', -3, true)) or is_first(line, up_to)
local next = first or is_next(line, claim, up_to)
if next and fits(line, claim) then
    if queued then
        leave_queue(line, id)
    end
    if mode == 'X' and line.held == 0 then
        local turns = tonumber(queued and string.match(record, '^%d+ %d+ %d+ %S+ ?y? (%d+)\n') or 0)
        local answer = take(time, turns > 1 and ' ' .. turns - 1)
        if not barges then
            answer[3] = behind()
        end
        return answer
    end
    claim.token = math.max(last + 1, micros, floor)
    local stay = math.max(line.left, lease)
    write_record(claim.token, stay)
    redis.call('PEXPIRE', line.holders, stay)
    if mode == 'X' then
        holds = string.format('%s %.0f', holds, line.now + lease)
    else
        redis.call('ZADD', line.ends, line.now + lease, id)
        extend(line.ends, stay + SPARE)
    end
    write_detail(line, id, claim, owner, stay)
    -- From now on the one that it is beside has an end of its own.
    if beside ~= '' and not redis.call('ZSCORE', line.ends, beside) then
        local alone = redis.call('HGET', line.holders, beside)
        if alone and not string.find(alone, ' ', 1, true) then
            redis.call('HSET', line.holders, beside, string.format('%s %.0f', alone, line.now + line.left))
        end
    end
    redis.call('HSET', line.holders, id, mode == 'P' and claim.permits or holds)
    redis.call('PEXPIRE', line.holders, stay)
    return {'granted', string.format('%.0f', claim.token)}
end

local number = 0
if string.find(turn, 'q', 1, true) then
    if queued then
        redis.call('PEXPIRE', line.queue, lasting)
        write_waiting()
        number = tonumber(queued)
    else
        number = next_number(redis.call('ZRANGE', line.queue, -1, -1, 'WITHSCORES')[2])
        local taken = take_place(number)
        if taken ~= true then
            return taken
        end
    end
    extend(line.claims, place + SPARE)
    if mode == 'P' then
        extend(line.record, keep)
    end
end
if mode ~= 'P' then
    ask_holder()
end

-- Nobody need ask earlier than the first lease ends; or, with others before it, than one of their places does.
if not first or line.held == 0 then
    return {'busy', place, number, next and has_stranger(line, record) and 1 or 0}
end
local earliest = tonumber(redis.call('ZRANGE', line.ends, 0, 0, 'WITHSCORES')[2] or line.now + line.left)
each_beside(line, function(_, _, at)
    earliest = math.min(earliest, at)
end)
return {'busy', earliest - line.now, number, next and has_stranger(line, record) and 1 or 0}
