-- The claims of one name, for the scripts that include this: those who hold, and those who wait in a queue.
--
-- A name has six keys, and a line is a table of them:
--   holders  hash { claim id -> holds }, of a semaphore { claim id -> permits }. It expires with the latest end in it.
--            Next to others, an exclusive claim has its own end with it: "<holds> <end>"
--   record   of a lock "<last token> <first token> <since> <claim id>[ y]\n<owner>", for the exclusive claim that found
--            the lock free, with y if its client may be asked to let go, or the last token alone, see trim.lua; of a semaphore "<last token> <permits that there are>"
--   ends     zset { claim id -> end } of the shared claims, or those for permits, among the holders
--   queue    zset { claim id -> place } of those who wait
--   places   zset { claim id -> end of its place }
--   claims   hash { claim id -> "<mode> <permits> <first token> <since> <holds> <beside>[ <terms>]\n<owner>" } of all that
--            are not in the record. One that waits and may be granted by a call has terms, see release_line.lua; since is
--            then when it took its place, and the number of that place
-- Ends are milliseconds of the server's clock, tokens and since are microseconds. A mode is X (exclusive), S (shared) or
-- P (permits). All keys have an expiry, which is a little later than that of anything in them.
-- How watchers are told; see Script.java.
local TELL = 'PUBLISH'

-- More fields than this that are not Holdfast's are somebody's data and not a lock.
local STRANGERS = 64

local function forget(line, id)
    redis.call('HDEL', line.holders, id)
    redis.call('HDEL', line.claims, id)
end

-- Visits the exclusive claims that hold next to others: visit(id, holds, end).
local function each_beside(line, visit)
    local strangers = line.held - line.shared
    if strangers == 0 or strangers > STRANGERS then
        return
    end
    local fields = redis.call('HGETALL', line.holders)
    for i = 1, #fields, 2 do
        local holds, at = string.match(fields[i + 1], '^(%d+) (%d+)$')
        if at then
            visit(fields[i], holds, tonumber(at))
        end
    end
end

local function count(line)
    line.held = redis.call('HLEN', line.holders)
    line.shared = redis.call('ZCARD', line.ends)
    line.waiting = redis.call('ZCARD', line.queue)
end

local function purge(line)
    local now = line.now
    if redis.call('EXISTS', line.holders, line.ends, line.queue, line.places, line.claims) == 0 then
        line.left, line.held, line.shared, line.waiting = -2, 0, 0, 0
        return
    end
    local ended = redis.call('ZRANGEBYSCORE', line.ends, '-inf', now)
    for _, id in ipairs(ended) do
        forget(line, id)
    end
    if #ended > 0 then
        redis.call('ZREMRANGEBYSCORE', line.ends, '-inf', now)
    end
    -- Somebody else who deletes the hash takes all that were in it at once.
    local first = redis.call('ZRANGE', line.ends, 0, 0)[1]
    if first and redis.call('HEXISTS', line.holders, first) == 0 then
        for _, id in ipairs(redis.call('ZRANGE', line.ends, 0, -1)) do
            redis.call('HDEL', line.claims, id)
        end
        redis.call('DEL', line.ends)
    end
    local left = redis.call('ZRANGEBYSCORE', line.places, '-inf', now)
    for _, id in ipairs(left) do
        redis.call('ZREM', line.queue, id)
        redis.call('HDEL', line.claims, id)
    end
    if #left > 0 then
        redis.call('ZREMRANGEBYSCORE', line.places, '-inf', now)
    end
    count(line)
    each_beside(line, function(id, _, at)
        if at <= now and line.held > 1 then
            forget(line, id)
            line.held = line.held - 1
        end
    end)
    -- Without an end, because the server has evicted it, a place would never be given up.
    if line.waiting ~= redis.call('ZCARD', line.places) then
        for _, id in ipairs(redis.call('ZRANGE', line.queue, 0, -1)) do
            if not redis.call('ZSCORE', line.places, id) then
                redis.call('ZREM', line.queue, id)
                redis.call('HDEL', line.claims, id)
                line.waiting = line.waiting - 1
            end
        end
    end
    if line.held == 0 then
        line.left = -2
        if line.waiting == 0 and redis.call('TYPE', line.claims).ok == 'hash' then
            redis.call('DEL', line.claims)
        end
    end
end

-- The line whose keys begin at KEYS[at], without what has ended. The other answer is what is wrong with it.
local function open(at, time)
    local line = {
        holders = KEYS[at], record = KEYS[at + 1], ends = KEYS[at + 2],
        queue = KEYS[at + 3], places = KEYS[at + 4], claims = KEYS[at + 5],
        now = time[1] * 1000 + math.floor(time[2] / 1000),
    }
    line.left = redis.call('PTTL', line.holders)
    if line.left ~= -2 then
        local kind = redis.call('TYPE', line.holders).ok
        if kind ~= 'hash' then
            return nil, kind
        end
    end
    purge(line)
    return line, line.left == -1 and 'no expiry' or nil
end

-- How many permits a semaphore has, and how many of them are out.
local function read_permits(line)
    local capacity = string.match(redis.call('GET', line.record) or '', '^%d+ (%d+)$')
    line.capacity = capacity and tonumber(capacity)
    line.out = 0
    for _, permits in ipairs(redis.call('HVALS', line.holders)) do
        line.out = line.out + (tonumber(permits) or 0)
    end
end

-- Visits the first of those who wait, until one says false: visit(id, detail).
local function each_waiting(line, number, visit)
    for from = 0, number - 1, 100 do
        local ids = redis.call('ZRANGE', line.queue, from, math.min(from + 100, number) - 1)
        local details = redis.call('HMGET', line.claims, unpack(ids))
        for i, id in ipairs(ids) do
            if visit(id, parse_detail(details[i]) or {mode = 'X', permits = 1, beside = ''}) == false then
                return false
            end
        end
    end
    return true
end

-- Whether it wants more permits than there are: it is called as well, to be refused.
local function is_impossible(line, claim)
    return claim.mode == 'P' and claim.permits > (line.capacity or 0)
end

-- Whether those who hold let a claim in.
local function fits(line, claim)
    if claim.mode == 'P' then
        return line.out + claim.permits <= (line.capacity or 0)
    end
    local others = claim.mode == 'X' and line.held or line.held - line.shared
    return others == 0 or (others == 1 and claim.beside ~= ''
        and redis.call('HEXISTS', line.holders, claim.beside) == 1
        and (claim.mode == 'X' or not redis.call('ZSCORE', line.ends, claim.beside)))
end

-- Whether a claim that is not held may be granted, with the first so many of those who wait before it.
local function grants(line, claim, ahead)
    if not fits(line, claim) or (claim.mode == 'X' and ahead > 0) then
        return false
    end
    local out = claim.permits
    return each_waiting(line, ahead, function(_, other)
        if not is_impossible(line, other) then
            out = out + other.permits
        end
        if claim.mode == 'S' then
            return other.mode == 'S'
        end
        return line.out + out <= line.capacity
    end)
end

-- Tells those whose turn it is: each would be granted if it and those before it asked. How many, and why one was not told.
local function call_next(line)
    count(line)
    local called, why = 0, ''
    each_waiting(line, line.waiting, function(id, claim)
        local impossible = is_impossible(line, claim)
        if not impossible and ((claim.mode == 'X' and called > 0) or not fits(line, claim)) then
            return false
        end
        local told = redis.pcall('PUBLISH', 'holdfast:calls:' .. (string.match(id, '^(.*):') or id), id)
        if type(told) == 'table' then
            why = told.err
        end
        called = called + 1
        if claim.mode == 'P' and not impossible then
            line.out = line.out + claim.permits
        end
        return claim.mode ~= 'X'
    end)
    return called, why
end

-- Tells of a lock that nobody holds any more, and calls those whose turn it is: {tag, who heard of it, how many were
-- called, why somebody was not told}.
local function freed(line, tag, channel, free)
    local told, silence = 0, ''
    if free then
        told = redis.pcall(TELL, channel, '0')
        if type(told) == 'table' then
            told, silence = 0, told.err
        end
    end
    local called, why = call_next(line)
    return {tag, told, called, silence ~= '' and silence or why}
end

-- Some who held are gone: the hash lasts as long as the last of those who stay.
local function keep_latest(line)
    local latest = tonumber(redis.call('ZRANGE', line.ends, -1, -1, 'WITHSCORES')[2] or 0)
    each_beside(line, function(_, _, at)
        latest = math.max(latest, at)
    end)
    if latest > line.now then
        redis.call('PEXPIRE', line.holders, latest - line.now)
    end
end

local function leave_queue(line, id)
    redis.call('ZREM', line.places, id)
    return redis.call('ZREM', line.queue, id)
end
