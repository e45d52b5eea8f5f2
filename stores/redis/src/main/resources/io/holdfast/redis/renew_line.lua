-- Sets the leases, the hold counts and the permits of claims that hold, and the places of those that wait.
--
-- KEYS    for each claim the five of its name: see line.lua
-- ARGV    1 how long the record of a lock outlives the lease (ms), one of a semaphore does so for a day   2 how long a place is
--         kept (ms)   then for each claim: id, lease (ms), holds, mode, permits, a claim that is not in its way or nothing,
--         'b' if it passes those that wait though it has a place, or nothing
-- Answer  for each claim, in order: 'held' | 'waiting' | 'called' | 'gone'
--
-- A lease is never made shorter and permits never become more. PEXPIRE comes first, since a full server takes it, and
-- takes what follows once a script has written.

-- include detail.lua

local DAY = 86400000
local place = tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Keeps the place of a claim, whose detail begins with its end.
local function keep_place(queue, claims, id, text)
    redis.call('PEXPIRE', queue, place + SPARE)
    extend(claims, place + SPARE)
    redis.call('HSET', claims, id, string.format('%013.0f', now + place) .. string.sub(text, 14))
end

-- The most frequent case: an exclusive claim waits while another one has the lock.
local function waits(holders, queue, claims, id)
    local text = redis.call('HGET', claims, id)
    local ends = string.match(text or '', '^(%d+) X %d+ %d+  ')
    local held = ends and tonumber(ends) > now and redis.pcall('HLEN', holders)
    if type(held) == 'number' and held > 0 and redis.call('ZSCORE', queue, id) then
        keep_place(queue, claims, id, text)
        return true
    end
    return false
end

-- include line.lua

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
    local text = redis.call('HGET', line.claims, id)
    local place = redis.call('ZSCORE', line.queue, id)
    local waited = place and parse_waiting(text)
    if not waited or waited.ends <= now then
        if place then -- a server that takes no writes says that a claim is gone, too
            leave_queue(line, id)
        end
        return 'gone'
    end
    keep_place(line.queue, line.claims, id, text)
    if claim.mode == 'P' then
        extend(line.record, DAY / 2)
        read_permits(line)
    end
    local called = is_impossible(line, claim)
        or (fits(line, claim) and (claim.barges or is_next(line, claim, id)))
    return called and 'called' or 'waiting'
end

local answer = {}
for i = 1, #KEYS / 5 do
    local key, at = 5 * i - 4, 7 * i - 4
    local id, lease, holds = ARGV[at], tonumber(ARGV[at + 1]), ARGV[at + 2]
    if waits(KEYS[key], KEYS[key + 3], KEYS[key + 4], id) then
        answer[i] = 'waiting'
    else
        local claim = {
            mode = ARGV[at + 3], permits = tonumber(ARGV[at + 4]), beside = ARGV[at + 5], barges = ARGV[at + 6] == 'b',
        }
        local line = open(key, time)
        local stored = line and redis.call('HGET', line.holders, id)
        if not line then
            answer[i] = 'gone'
        elseif stored then
            answer[i] = hold(line, id, stored, lease, holds, claim)
        else
            answer[i] = wait(line, id, claim)
        end
    end
end
return answer
