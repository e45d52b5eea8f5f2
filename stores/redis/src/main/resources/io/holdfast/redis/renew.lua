-- Sets the leases and the hold counts of exclusive claims that hold their locks alone, all for the same time and with the
-- same count.
--
-- KEYS    the lock of each claim   then, every now and then, the records beside them
-- ARGV    1 how long a record outlives the lease (ms)   2 lease (ms)   3 holds   then the id of each claim
-- Answer  the numbers of the claims that are not held so; renew_line.lua looks at them
--
-- A lease is never made shorter, and one claim whose key is now something else does not hold up the others. The hold
-- count comes last and may fail: a full server refuses it, and a lease must not be lost for a number that is only shown.
local call, pcall = redis.call, redis.pcall
local keep, lease, holds = ARGV[1], ARGV[2], ARGV[3]
local claims = #ARGV - 3

-- Since Redis 7, one command does what took two.
local one_will_do = true

local function extend(key, left)
    if one_will_do then
        local extended = pcall('PEXPIRE', key, left, 'GT')
        if extended == 1 then
            return
        end
        one_will_do = extended == 0
    end
    if call('PTTL', key) < tonumber(left) then
        call('PEXPIRE', key, left)
    end
end

local look = {}
for i = 1, claims do
    local lock, record, id = KEYS[i], KEYS[claims + i], ARGV[3 + i]
    local stored = pcall('HGET', lock, id)
    if type(stored) == 'table' and not string.find(stored.err, 'WRONGTYPE', 1, true) then
        return stored
    end
    if type(stored) == 'string' and (stored == holds or not string.find(stored, ' ', 1, true)) then
        extend(lock, lease)
        if record then
            extend(record, lease + keep)
        end
        if stored ~= holds then
            pcall('HSET', lock, id, holds)
        end
    else
        look[#look + 1] = i
    end
end
return look
