-- The claims of one name, for the scripts that include this: those that hold, and those that wait in a queue.
--
-- A name has five keys, and a line is a table of them:
--   holders  hash { claim id -> holds }, of a semaphore { claim id -> permits }. It expires with the latest end in it.
--            Next to others, an exclusive claim has its own end with it: "<holds> <end>"
--   record   of a lock "<last token> <first token> <since> <claim id>[ y][ <turns>]\n<owner>", for the exclusive claim that
--            found the lock free, with y if its client may be asked to let go, or the last token alone, see trim.lua; of a
--            semaphore "<last token> <permits that there are>". The turns are those of release_line.lua
--   ends     zset { claim id -> end } of the shared claims, or those for permits, among the holders
--   queue    zset { claim id -> number of its place } of those that wait: when it took the place, or one more than the last
--   claims   hash { claim id -> detail } of all that are not in the record
--            of one that holds "<mode> <permits> <first token> <since> <holds> <beside>\n<owner>"
--            of one that waits "<end of its place> <mode> <permits> <holds> <beside> <tokens> <lease> <flags>\n<owner>"
-- The end of a place has 13 digits. A flag is a letter or -: f if the claim waits for those before it, c if it may be granted
-- by a call, y as in the record.
-- Ends are milliseconds of the server's clock, tokens, since and numbers of places are microseconds. A mode is X (exclusive),
-- S (shared) or P (permits). All keys have an expiry, which is a little later than that of anything in them.
--
-- A place that has ended is dropped when it is come across, so that its cost is no other claim's.

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
end

local function purge(line)
    local now = line.now
    if redis.call('EXISTS', line.holders, line.ends, line.queue, line.claims) == 0 then
        line.left, line.held, line.shared = -2, 0, 0
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
    count(line)
    each_beside(line, function(id, _, at)
        if at <= now and line.held > 1 then
            forget(line, id)
            line.held = line.held - 1
        end
    end)
    if line.held == 0 then
        line.left = -2
        if redis.call('EXISTS', line.queue) == 0 and redis.call('TYPE', line.claims).ok == 'hash' then
            redis.call('DEL', line.claims)
        end
    end
end

-- The line whose keys begin at KEYS[at], without the holders that have ended. The other answer is what is wrong with it.
local function open(at, time)
    local line = {
        holders = KEYS[at], record = KEYS[at + 1], ends = KEYS[at + 2], queue = KEYS[at + 3], claims = KEYS[at + 4],
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

-- Whether a client holds it that knows nothing of the queue: the holder is neither in the record nor has an end of its own.
local function has_stranger(line, record)
    local others = line.held - line.shared
    local holder = string.match(record, '^%d+ %d+ %d+ (%S+)')
    local alone = others > 0 and holder and redis.call('HGET', line.holders, holder)
    if alone and not string.find(alone, ' ', 1, true) then
        others = others - 1
    end
    each_beside(line, function()
        others = others - 1
    end)
    return others > 0
end

local function leave_queue(line, id)
    if redis.call('ZREM', line.queue, id) == 1 then
        redis.call('HDEL', line.claims, id)
        return true
    end
    return false
end

-- Visits those that wait, in order, up to the one of that id, until one says false: visit(id, detail). A place without a
-- detail, because the server has evicted it, would never be given up: it has ended.
local function each_waiting(line, up_to, visit)
    local from, number = 0, 1
    while true do
        local ids = redis.call('ZRANGE', line.queue, from, from + number - 1)
        if #ids == 0 then
            return true
        end
        local details = redis.call('HMGET', line.claims, unpack(ids))
        for i, id in ipairs(ids) do
            if id == up_to then
                return true
            end
            local claim = parse_waiting(details[i])
            if not claim or claim.ends <= line.now then
                leave_queue(line, id)
            elseif visit(id, claim) == false then
                return false
            else
                from = from + 1
            end
        end
        number = math.min(2 * number, 128)
    end
end

-- Whether it wants more permits than there are: it is called as well, to be refused.
local function is_impossible(line, claim)
    return claim.mode == 'P' and claim.permits > (line.capacity or 0)
end

-- Whether those that hold let a claim in.
local function fits(line, claim)
    if claim.mode == 'P' then
        return line.out + claim.permits <= (line.capacity or 0)
    end
    local others = claim.mode == 'X' and line.held or line.held - line.shared
    return others == 0 or (others == 1 and claim.beside ~= ''
        and redis.call('HEXISTS', line.holders, claim.beside) == 1
        and (claim.mode == 'X' or not redis.call('ZSCORE', line.ends, claim.beside)))
end

-- Whether no claim waits before the one of that id.
local function is_first(line, up_to)
    return each_waiting(line, up_to, function()
        return false
    end)
end

-- Whether those that wait before the one of that id let a claim in.
local function is_next(line, claim, up_to)
    local out = claim.permits
    return each_waiting(line, up_to, function(_, other)
        if claim.mode == 'P' then
            if not is_impossible(line, other) then
                out = out + other.permits
            end
            return line.out + out <= (line.capacity or 0)
        end
        return claim.mode == 'S' and other.mode == 'S'
    end)
end

-- Tells those whose turn it is: each would be granted if it and those before it asked. How many, and why one was not told.
local function call_next(line)
    count(line)
    local called, why = 0, ''
    each_waiting(line, '', function(id, claim)
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

-- Some that held are gone: the hash lasts as long as the last of those that stay.
local function keep_latest(line)
    local latest = tonumber(redis.call('ZRANGE', line.ends, -1, -1, 'WITHSCORES')[2] or 0)
    each_beside(line, function(_, _, at)
        latest = math.max(latest, at)
    end)
    if latest > line.now then
        redis.call('PEXPIRE', line.holders, latest - line.now)
    end
end
