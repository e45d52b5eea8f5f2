-- Tells a client that has just connected whether the server may have lost data since the client was here last.
--
-- KEYS    1 the epoch, one life of the server's data: "<id> <born, ms> <no lock is granted until, ms>"; none on a server of
--         a cluster that has no slot to keep it in
-- ARGV    1 an id for a new epoch   2 the one that the client knows, or nothing   3 the longest lease that it has asked
--         for (ms)   4 how long the epoch is kept without anybody connecting (ms)   5 'd' if the data outlives its server,
--         on replicas   6 the run that the client knew at this address, or nothing   7 the one that it knew last, or nothing
--         8 the highest token that it was granted
-- Answer  {'same' | 'lost', id, ms until locks may be granted, ms since the epoch was born, run or ''}
--
-- Data that is lost takes locks with it whose holders still believe in them, for a lease at most. A server that was
-- restarted may have lost everything, or what came after its last snapshot, so each run is an epoch; a server that does
-- not tell its run has the epochs of its data, and so has one whose replicas have all that counts, unless it was restarted.
-- Who knows an earlier one can tell, and leaves word for those who connect for the first time. Likewise if tokens were
-- granted that are ahead of the clock of a server that is, or may be, another: it waits until it has caught up.
local LONGEST = 60000
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or nil
local id, born, grants = string.match(KEYS[1] and redis.call('GET', KEYS[1]) or '', '^(%S+) (%d+) (%d+)$')
local restarted = run and ARGV[6] ~= '' and ARGV[6] ~= run
local run_counts = ARGV[5] == '' or restarted
if not id or (run and run_counts and id ~= run) then
    id, born, grants = run or ARGV[1], now, 0
end
born, grants = tonumber(born), tonumber(grants)
-- The key may be another one than before, as a server of a cluster may have other slots.
local lost = restarted or (ARGV[2] ~= '' and ARGV[2] ~= id)
if lost then
    grants = math.max(grants, born + tonumber(ARGV[3]))
end
local highest = tonumber(ARGV[8])
if highest >= time[1] * 1000000 + time[2] and (lost or not run or ARGV[7] ~= run) then
    grants = math.max(grants, math.min(math.ceil(highest / 1000) + 1, now + LONGEST))
end
if KEYS[1] then
    -- PEXPIRE comes first: a full server takes what needs memory once a script has written.
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    redis.call('SET', KEYS[1], string.format('%s %.0f %.0f', id, born, grants), 'PX', ARGV[4])
end
return {lost and 'lost' or 'same', id, math.max(0, grants - now), math.max(0, now - born), run or ''}
