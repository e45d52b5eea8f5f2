-- What is kept of a claim that is not alone with its lock, for the scripts that include this: see line.lua.
local SPARE = 1000

local function extend(key, left)
    if redis.call('PTTL', key) < left then
        redis.call('PEXPIRE', key, left)
    end
end

local function write_detail(line, id, detail, owner, left)
    redis.call('HSET', line.claims, id, string.format('%s %.0f %.0f %.0f %.0f %s%s\n%s',
        detail.mode, detail.permits, detail.token, detail.since, detail.holds, detail.beside, detail.terms or '', owner))
    extend(line.claims, left + SPARE)
end

local function parse_detail(text)
    local mode, permits, token, since, holds, beside, terms, owner =
        string.match(text or '', '^(%a) (%d+) (%d+) (%d+) (%d+) (%S*)([^\n]*)\n(.*)$')
    if not mode then
        return nil
    end
    return {
        mode = mode, permits = tonumber(permits), token = tonumber(token), since = tonumber(since),
        holds = tonumber(holds), beside = beside, terms = terms,
    }, owner
end
