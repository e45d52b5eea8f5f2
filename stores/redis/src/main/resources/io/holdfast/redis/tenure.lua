-- Tells a client that has connected to a master whether all that counted before this server was the master is here, or is
-- over by now; until then the client takes no lock.
--
-- KEYS    1 the record: "<tenure> <begun, ms> <longest lease, ms> <longest assured lease, ms> <master> <next tenure, or -> <in
--         doubt since, ms> <last looked at, ms>"
-- ARGV    1 the address of this master, as clients know it   2 the longest lease that the client has asked for (ms)
--         3 a tenure, and 4 a lease (ms) of which it is known that every replica has the record   5 a tenure of which the
--         client knows that nothing is missing, or nothing   6 for how long most of those that decide have named this
--         master, at least (ms)   7 's' if a replica may still follow another master, or nothing
-- Answer  {'settled' | 'doubted', tenure, ms until it is settled, longest assured lease (ms), the tenure before it or '' if
--         that is not known to have been settled, the offset at which it began, the master of that one, for how long (ms) a
--         replica must have been up to know that one, the history before it}
--
-- The time in which one server is the master is a tenure; its id is the id of the server's replication history, which is a
-- new one after each promotion and each restart. The record says in its own data which tenure lacks nothing. If it names an
-- earlier one, replicas may have acknowledged what this server, while it was a replica itself, did not. Whoever finds that
-- out writes down since when, and it is over a lease after that. It begins anew if nobody looked in between: the server may
-- have been cut off, and the old master may have gone on.
--
-- A lease of up to 30 s, the default, need not be written down before it is taken; a longer one is, on every replica, so that
-- no replica can be promoted without the record of it. The server may not tell its history; then its address stands for it.
local UNNOTED, LONGEST, GRACE, GAP, KEPT = 30000, 600000, 10000, 10000, 31536000000

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local info = redis.pcall('INFO', 'replication')
info = type(info) == 'string' and info or ''
local tenure = string.match(info, 'master_replid:(%x+)')
local before = string.match(info, 'master_replid2:(0*[1-9a-f]%x*)') or ''
local offset = string.match(info, 'second_repl_offset:(%d+)') or '0'

local known, begun, longest, assured, master, coming, since, seen =
    string.match(redis.call('GET', KEYS[1]) or '', '^(%S+) (%d+) (%d+) (%d+) (%S+) (%S+) (%d+) (%d+)$')
if known then
    begun, longest, assured, since, seen =
        tonumber(begun), tonumber(longest), tonumber(assured), tonumber(since), tonumber(seen)
else
    known, begun, longest, assured, master, coming, since, seen = '-', 0, UNNOTED, UNNOTED, '-', '-', 0, 0
    if before == '' then -- it was never promoted
        known, begun, master = tenure or 'at:' .. ARGV[1], now, ARGV[1]
    end
end
if not tenure then
    tenure = master == ARGV[1] and known or 'at:' .. ARGV[1]
end
longest = math.max(longest, math.min(tonumber(ARGV[2]), LONGEST))
if ARGV[3] == tenure then
    assured = math.max(assured, math.min(tonumber(ARGV[4]), LONGEST))
end

local old, old_master = known == before and known or '', master
local up = begun > now and longest + GRACE or math.min(now - begun, longest + GRACE)
local left = 0
if known ~= tenure then
    if coming ~= tenure or now - seen > GAP or seen > now or ARGV[7] ~= '' then
        since = now
    end
    if ARGV[7] == '' then
        since = math.min(since, now - tonumber(ARGV[6]))
    end
    coming, seen = tenure, now
    left = ARGV[5] == tenure and 0 or math.max(0, since + longest + GRACE - now)
    if left == 0 then
        -- Where the record was lost, it is not known since when replicas have followed.
        known, begun, master, coming, since, seen = tenure, known == '-' and 0 or since, ARGV[1], '-', 0, 0
    end
end

-- PEXPIRE comes first: a full server takes what needs memory once a script has written.
redis.call('PEXPIRE', KEYS[1], KEPT)
redis.call('SET', KEYS[1], string.format('%s %.0f %.0f %.0f %s %s %.0f %.0f',
    known, begun, longest, assured, master, coming, since, seen), 'PX', KEPT)
return {known == tenure and 'settled' or 'doubted', tenure, left, assured, old, offset, old_master, up, before}
