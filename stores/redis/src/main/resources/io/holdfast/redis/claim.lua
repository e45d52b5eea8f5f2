-- Grants an exclusive claim if nobody else holds the lock.
--
-- KEYS    1 the lock: hash { claim id -> holds } with an expiry, as Redisson keeps it
--         2 the record beside it: "<last token> <first token> <since> <claim id>\n<owner>"
-- ARGV    1 claim id   2 lease (ms)   3 holds   4 how many tokens   5 owner   6 how long 2 outlives the lease (ms)
-- Answer  {'granted', first token} | {'busy', ms left} | {'foreign', why}
--
-- Run twice, it answers the same and leaves the same: a claim that is held keeps its tokens, and its lease is never
-- made shorter. The token never falls behind the clock nor behind the last one, so it rises even if the record is
-- evicted or the clock steps back.
local lease, tokens = tonumber(ARGV[2]), tonumber(ARGV[4])

local left = redis.call('PTTL', KEYS[1])
local held = left ~= -2
if held then
    local kind = redis.call('TYPE', KEYS[1]).ok
    if kind ~= 'hash' then
        return {'foreign', kind}
    end
    if left == -1 then
        return {'foreign', 'no expiry'}
    end
    if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
        return {'busy', left}
    end
end

local record = redis.call('GET', KEYS[2]) or ''
local last, first, since, holder = string.match(record, '^(%d+) (%d+) (%d+) (%S+)')
last = tonumber(last or 0)
-- Lua counts in doubles: beyond this they would no longer tell one token from the next.
if last + tokens >= 9007199254740992 then
    return {'foreign', 'tokens'}
end
if held and holder == ARGV[1] then
    first, since = tonumber(first), tonumber(since)
else
    local now = redis.call('TIME')
    since = now[1] * 1000000 + now[2]
    first = math.max(last + 1, since)
end
last = math.max(last, first + tokens - 1)
local stay = math.max(left, lease)

-- A full server refuses SET, unless the script has written before: a claim that is held is extended all the same.
if held then
    redis.call('PEXPIRE', KEYS[1], stay)
end
redis.call('SET', KEYS[2], string.format('%.0f %.0f %.0f %s\n%s', last, first, since, ARGV[1], ARGV[5]),
    'PX', stay + tonumber(ARGV[6]))
-- On a lock that is not there yet this changes nothing, but it fails here if PEXPIRE is not allowed, and not when the
-- hash exists and could not expire.
redis.call('PEXPIRE', KEYS[1], stay)
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], stay)
return {'granted', string.format('%.0f', first)}
