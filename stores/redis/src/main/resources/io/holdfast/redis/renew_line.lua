-- Sets the leases, the hold counts and the permits of claims that hold, and the places of those that wait.
--
-- KEYS    for each claim the six of its name: see line.lua
-- ARGV    1 how long the record of a lock outlives the lease (ms), one of a semaphore does so for a day   2 how long a place is kept (ms)   then for each claim: id,
--         lease (ms), holds, mode, permits, a claim that is not in its way or nothing, 'b' if it passes those who wait
--         though it has a place, or nothing
-- Answer  for each claim, in order: 'held' | 'waiting' | 'called' | 'gone'
--
-- A lease is never made shorter and permits never become more. PEXPIRE comes first, since a full server takes it, and
-- takes what follows once a script has written.

-- include detail.lua
-- include line.lua

local DAY = 86400000
local place = tonumber(ARGV[2])
local time = redis.call('TIME')

local function hold(line, id, stored, lease, holds, claim)
    local stay = math.max(line.left, lease)
    local keep = claim.mode == 'P' and DAY or tonumber(ARGV[1])
    redis.call('PEXPIRE', line.holders, stay)
    extend(line.record, stay + keep / 2)
    local ends = redis.call('ZSCORE', line.ends, id)
    local alone, at = string.match(stored, '^(%d+) (%d+)$')
    if ends then
        redis.call('ZADD', line.ends, math.max(tonumber(ends), line.now + lease), id)
        extend(line.ends, stay + SPARE)
    end
    if ends or at then
        extend(line.claims, stay + SPARE)
    end
    if claim.mode == 'P' then
        local fewer = claim.permits < tonumber(stored)
        local detail, owner = parse_detail(redis.call('HGET', line.claims, id))
        if detail and (fewer or detail.holds ~= tonumber(holds)) then
            detail.permits, detail.holds = math.min(claim.permits, detail.permits), holds
            write_detail(line, id, detail, owner, stay)
        end
        if fewer then
            redis.call('HSET', line.holders, id, claim.permits)
            read_permits(line)
            call_next(line)
        end
    elseif at then
        redis.call('HSET', line.holders, id,
            string.format('%s %.0f', holds, math.max(tonumber(at), line.now + lease)))
    elseif stored ~= holds then
        redis.call('HSET', line.holders, id, holds)
    end
    return 'held'
end

local function wait(line, id, claim)
    local ahead = redis.call('ZRANK', line.queue, id)
    if not ahead then
        return 'gone'
    end
    redis.call('PEXPIRE', line.queue, place + SPARE)
    redis.call('PEXPIRE', line.places, place + SPARE)
    extend(line.claims, place + SPARE)
    redis.call('ZADD', line.places, line.now + place, id)
    if claim.mode == 'P' then
        extend(line.record, DAY / 2)
        read_permits(line)
    end
    return (is_impossible(line, claim) or grants(line, claim, claim.barges and 0 or ahead)) and 'called' or 'waiting'
end

local answer = {}
for i = 1, #KEYS / 6 do
    local at = 7 * i - 4
    local id, lease, holds = ARGV[at], tonumber(ARGV[at + 1]), ARGV[at + 2]
    local claim = {
        mode = ARGV[at + 3], permits = tonumber(ARGV[at + 4]), beside = ARGV[at + 5], barges = ARGV[at + 6] == 'b',
    }
    local line = open(6 * i - 5, time)
    local stored = line and redis.call('HGET', line.holders, id)
    if not line then
        answer[i] = 'gone'
    elseif stored then
        answer[i] = hold(line, id, stored, lease, holds, claim)
    else
        answer[i] = wait(line, id, claim)
    end
end
return answer
