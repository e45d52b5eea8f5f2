-- Taking a lock that nobody holds, for the scripts that include this. KEYS 1 and 2 and ARGV 1 to 7 are those of claim.lua,
-- ARGV 12 is that of claim_line.lua.
local id, lease, holds = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local tokens, owner, keep = tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6])
local floor = tonumber(ARGV[12] or 0)
local mark = ARGV[7] == 'y' and ' y' or ''

-- Lua counts in doubles: beyond this they would no longer tell one token from the next.
local function spent(last)
    return math.max(last, floor) + tokens >= 9007199254740992
end

-- For how long (ms) a record is kept beyond the lease: no shorter than until the clock has passed the last token, which is
-- ahead of it where more were taken than microseconds have gone by.
local function kept(last, micros)
    return keep + math.max(0, math.ceil((last - micros) / 1000))
end

-- The last token of a record, which may be all that is left of it.
local function last_token(record)
    return tonumber(string.match(record or '', '^(%d+) %d+ %d+ %S') or string.match(record or '', '^%d+$') or 0)
end

-- Its first token, or why there is none. The turns are those of the record, for a claim that had a place.
local function first_token(time, turns)
    local last = last_token(redis.call('GET', KEYS[2]))
    if spent(last) then
        return {'foreign', 'tokens'}
    end
    local micros = time[1] * 1000000 + time[2]
    local first = math.max(last + 1, micros, floor)
    local taken = first + tokens - 1
    redis.call('SET', KEYS[2],
        string.format('%.0f %.0f %.0f %s%s%s\n%s', taken, first, micros, id, mark, turns or '', owner),
        'PX', lease + kept(taken, micros))
    redis.call('HSET', KEYS[1], id, holds)
    local expires = redis.pcall('PEXPIRE', KEYS[1], ARGV[2])
    if expires ~= 1 then
        -- Where that is not allowed, nothing may stay. SET is allowed: it has just been done.
        if redis.pcall('HDEL', KEYS[1], id) ~= 1 then
            redis.call('SET', KEYS[1], '', 'PX', 1)
        end
        return expires
    end
    return first
end

local function take(time, turns)
    local first = first_token(time, turns)
    return type(first) == 'number' and {'granted', first} or first
end

-- Calls the one who holds the lock if it may not need it.
local function ask_holder()
    local holder = string.match(redis.call('GET', KEYS[2]) or '', '^%d+ %d+ %d+ (%S+) y')
    if holder and redis.call('HEXISTS', KEYS[1], holder) == 1 then
        redis.pcall('PUBLISH', 'holdfast:calls:' .. (string.match(holder, '^(.*):') or holder), holder .. ' revoke')
    end
end
