-- What is kept of a claim that is not alone with its lock, for the scripts that include this: see line.lua.

-- How watchers are told; see Script.java.
local TELL = 'PUBLISH'

-- For how long (ms) a key outlives what is in it.
local SPARE = 1000

local function extend(key, left)
    if redis.call('PTTL', key) < left then
        redis.call('PEXPIRE', key, left)
    end
end

local function write_detail(line, id, detail, owner, left)
    redis.call('HSET', line.claims, id, string.format('%s %.0f %.0f %.0f %.0f %s\n%s',
        detail.mode, detail.permits, detail.token, detail.since, detail.holds, detail.beside, owner))
    extend(line.claims, left + SPARE)
end

-- That of a claim that holds.
local function parse_detail(text)
    local mode, permits, token, since, holds, beside, owner =
        string.match(text or '', '^(%a) (%d+) (%d+) (%d+) (%d+) (%S*)\n(.*)$')
    if not mode then
        return nil
    end
    return {
        mode = mode, permits = tonumber(permits), token = tonumber(token), since = tonumber(since),
        holds = tonumber(holds), beside = beside,
    }, owner
end

-- That of a claim that waits.
local function parse_waiting(text)
    local ends, mode, permits, holds, beside, tokens, lease, flags, owner =
        string.match(text or '', '^(%d+) (%a) (%d+) (%d+) (%S*) (%d+) (%d+) (%S+)\n(.*)$')
    if not mode then
        return nil
    end
    return {
        ends = tonumber(ends), mode = mode, permits = tonumber(permits), holds = holds, beside = beside,
        tokens = tonumber(tokens), lease = tonumber(lease), flags = flags, owner = owner,
    }
end
