-- Grants an exclusive claim if nobody else is there, passing those who wait: the most frequent case, in few commands.
--
-- KEYS    1 the lock: hash { claim id -> holds } with an expiry, as Redisson keeps it
--         2 the record beside it: "<last token> <first token> <since> <claim id>[ y]\n<owner>", or the last
--         token alone
--         3 the claims of all who are not alone with the lock: see line.lua
-- ARGV    1 claim id   2 lease (ms)   3 holds   4 how many tokens   5 owner   6 how long 2 outlives the lease (ms)
--         7 'y' if it may be called when others ask, or nothing
-- Answer  if it is granted, the first token alone, since a table would cost a tenth of the script
--         {'busy', ms left} | {'foreign', why} | {'look'}, with claim_line.lua

-- include take.lua

local there = redis.call('EXISTS', KEYS[1], KEYS[3])
if there == 0 then
    return first_token(redis.call('TIME'))
end
local left = redis.call('PTTL', KEYS[1])
if left > 0 and redis.call('TYPE', KEYS[1]).ok == 'hash' and redis.call('HEXISTS', KEYS[1], id) == 0 then
    -- With others about, it is busy if the one in the record has it, not for reading, and has no end of its own.
    local holder = there == 2 and string.match(redis.call('GET', KEYS[2]) or '', '^%d+ %d+ %d+ (%S+)')
    if there == 1 or (holder and redis.call('HEXISTS', KEYS[3], holder) == 0
            and string.find(redis.call('HGET', KEYS[1], holder) or '', '^%d+$')) then
        ask_holder()
        return {'busy', left}
    end
end
return {'look'}
