-- Grants a claim if the rule allows it; otherwise it waits, in the queue if it wants to.
--
-- KEYS    1 holders   2 record   3 ends   4 queue   5 places   6 claims: see line.lua
-- ARGV    1 claim id   2 lease (ms)   3 holds   4 how many tokens   5 owner   6 how long 2 outlives the lease (ms)
--         7 'y' if it may be called when others ask, or nothing   8 mode   9 turn: with 'b' it passes those who wait, with
--         'q' it takes a place   10 permits   11 how many a semaphore has that is not known yet   12 a claim that is not
--         in its way, or nothing   13 how long a place is kept (ms)   14 the smallest token that it may have   15 'c' if it
--         may be granted by a call, or nothing
-- Answer  {'granted', first token[, {the same client's that come right behind it, each with the number of its place}]}
--         | {'busy', ms left, number of its place} | {'few', how many permits there are} | {'foreign', why}
--
-- Run twice, it answers the same, except for who is behind it, and leaves the same: a claim that is held keeps its tokens, and its lease is never
-- made shorter; one that waits keeps its place. The token never falls behind the clock nor behind the last one, so it
-- rises even if the record is evicted or the clock steps back.

-- include take.lua

local mode, turn, beside, by_call = ARGV[8], ARGV[9], ARGV[12], ARGV[15] == 'c'
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]

-- The most frequent case, in few commands: nobody there.
if mode == 'X' and redis.call('EXISTS', KEYS[1], KEYS[3], KEYS[4]) == 0 then
    return take(time)
end

-- include detail.lua

local claim = {
    mode = mode, permits = tonumber(ARGV[10]), token = 0, since = micros, holds = tonumber(holds), beside = beside,
    terms = by_call and string.format(' %d %.0f %s%s', tokens, lease, string.find(turn, 'b', 1, true) and '-' or 'f', mark),
}
local place = tonumber(ARGV[13])

-- Takes a place behind those who wait; the answer is whether anybody does. PEXPIRE comes first: a full server takes what
-- needs memory once a script has written.
local function take_place(now)
    local stay = place + SPARE
    redis.call('PEXPIRE', KEYS[4], stay)
    write_detail({claims = KEYS[6]}, id, claim, owner, place)
    redis.call('ZADD', KEYS[5], now + place, id)
    redis.call('PEXPIRE', KEYS[5], stay)
    local behind = redis.call('ZRANGE', KEYS[4], -1, -1, 'WITHSCORES')[2]
    redis.call('ZADD', KEYS[4], (behind or 0) + 1, id)
    redis.call('PEXPIRE', KEYS[4], stay)
    return behind
end

-- The next most frequent: somebody has it alone, and this one gets a place. Those who have left theirs are cleared away when
-- it is their turn.
if mode == 'X' and string.find(turn, 'q', 1, true) and beside == '' and redis.call('EXISTS', KEYS[3]) == 0
    and redis.pcall('HLEN', KEYS[1]) == 1 and redis.call('HEXISTS', KEYS[1], id) == 0
    and not redis.call('ZSCORE', KEYS[4], id) then
    local left = redis.call('PTTL', KEYS[1])
    if left > 0 then
        local behind = take_place(time[1] * 1000 + math.floor(time[2] / 1000))
        ask_holder()
        local waits = behind and not string.find(turn, 'b', 1, true)
        return {'busy', waits and place or left, string.format('%.0f', micros)}
    end
end

-- include line.lua

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

-- Keeps the one who is in the record, if there is one.
local function write_record(first, left)
    local taken = math.max(last, first + tokens - 1)
    redis.call('SET', line.record, string.format('%.0f', taken)
        .. (rest or string.format(' %.0f %.0f %s%s\n%s', first, claim.since, id, mark, owner)),
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
    if detail and detail.token > 0 then
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

local rank = redis.call('ZRANK', line.queue, id)
if is_impossible(line, claim) then
    if leave_queue(line, id) == 1 then
        redis.call('HDEL', line.claims, id)
    end
    return {'few', line.capacity}
end

-- Its client may pass the lock on to these by itself, for as many as it has tokens.
local function behind()
    local client, ids = string.match(id, '^(.*):'), {}
    for _, other in ipairs(tokens > 1 and redis.call('ZRANGE', line.queue, 0, tokens - 2) or {}) do
        if string.match(other, '^(.*):') ~= client then
            break
        end
        local detail = parse_detail(redis.call('HGET', line.claims, other))
        ids[#ids + 1] = other
        ids[#ids + 1] = string.format('%.0f', detail and detail.since or 0)
    end
    return ids
end

local barges = string.find(turn, 'b', 1, true)
local ahead = rank or line.waiting
if barges and (by_call or not rank) then
    ahead = 0
end
if grants(line, claim, ahead) then
    if rank then
        leave_queue(line, id)
    end
    if mode == 'X' and line.held == 0 then
        redis.call('HDEL', line.claims, id)
        local answer = take(time)
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
    local detail = rank and parse_detail(redis.call('HGET', line.claims, id))
    number = detail and detail.since or claim.since
    if detail then
        redis.call('PEXPIRE', line.queue, place + SPARE)
        redis.call('PEXPIRE', line.places, place + SPARE)
        redis.call('ZADD', line.places, line.now + place, id)
        extend(line.claims, place + SPARE)
    else
        take_place(line.now)
    end
    if mode == 'P' then
        extend(line.record, keep)
    end
end
number = string.format('%.0f', number)

if mode ~= 'P' then
    ask_holder()
end

-- Nobody need ask earlier than the first lease ends; or, with others before it, than one of their places does.
if ahead > 0 or line.held == 0 then
    return {'busy', place, number}
end
local first = tonumber(redis.call('ZRANGE', line.ends, 0, 0, 'WITHSCORES')[2] or line.now + line.left)
each_beside(line, function(_, _, at)
    first = math.min(first, at)
end)
return {'busy', first - line.now, number}
