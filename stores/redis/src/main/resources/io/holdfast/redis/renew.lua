-- Sets the leases and the hold counts of exclusive claims that hold their locks alone.
--
-- KEYS    2i-1 the lock of claim i   2i the record beside it
-- ARGV    1 how long a record outlives the lease (ms)   then for each claim: id, lease (ms), holds
-- Answer  for each claim, in order: 'held' | 'look', by renew_line.lua
--
-- A lease is never made shorter, and one claim whose key is now something else does not hold up the others. The hold
-- count comes last and may fail: a full server refuses it, and a lease must not be lost for a number that is only shown.
local keep = tonumber(ARGV[1])
local answer = {}
for i = 1, #KEYS / 2 do
    local lock, record = KEYS[2 * i - 1], KEYS[2 * i]
    local id, lease, holds = ARGV[3 * i - 1], tonumber(ARGV[3 * i]), ARGV[3 * i + 1]
    local stored = redis.pcall('HGET', lock, id)
    if type(stored) == 'table' and not string.find(stored.err, 'WRONGTYPE', 1, true) then
        return stored
    end
    if type(stored) == 'string' and (stored == holds or not string.find(stored, ' ', 1, true)) then
        if redis.call('PTTL', lock) < lease then
            redis.call('PEXPIRE', lock, lease)
        end
        if redis.call('PTTL', record) < lease + keep / 2 then
            redis.call('PEXPIRE', record, lease + keep)
        end
        if stored ~= holds then
            redis.pcall('HSET', lock, id, holds)
        end
        answer[i] = 'held'
    else
        answer[i] = 'look'
    end
end
return answer
