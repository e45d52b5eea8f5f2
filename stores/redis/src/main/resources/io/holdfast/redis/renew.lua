-- Sets the leases and the hold counts of exclusive claims that hold their locks alone, all for the same time and with the
-- same count.
--
-- KEYS    2i-1 the lock of claim i   2i the record beside it
-- ARGV    1 how long a record outlives the lease (ms)   2 lease (ms)   3 holds   then the id of each claim
-- Answer  the numbers of the claims that are not held so; renew_line.lua looks at them
--
-- A lease is never made shorter, and one claim whose key is now something else does not hold up the others. The hold
-- count comes last and may fail: a full server refuses it, and a lease must not be lost for a number that is only shown.
local call, pcall = redis.call, redis.pcall
local keep, lease, holds = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local look = {}
for i = 1, #KEYS / 2 do
    local lock, record, id = KEYS[2 * i - 1], KEYS[2 * i], ARGV[3 + i]
    local stored = pcall('HGET', lock, id)
    if type(stored) == 'table' and not string.find(stored.err, 'WRONGTYPE', 1, true) then
        return stored
    end
    if type(stored) == 'string' and (stored == holds or not string.find(stored, ' ', 1, true)) then
        if call('PTTL', lock) < lease then
            call('PEXPIRE', lock, ARGV[2])
        end
        if call('PTTL', record) < lease + keep / 2 then
            call('PEXPIRE', record, lease + keep)
        end
        if stored ~= holds then
            pcall('HSET', lock, id, holds)
        end
    else
        look[#look + 1] = i
    end
end
return look
