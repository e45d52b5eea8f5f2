-- KEYS[1] a document that is guarded by a lock   ARGV[1] the writer's fencing token   ARGV[2] the text
-- Refuses a writer whose token is smaller than one that has already written: since then somebody else had the lock.
local last = tonumber(redis.call('HGET', KEYS[1], 'token') or '0')
if tonumber(ARGV[1]) < last then
    return 0
end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'text', ARGV[2])
return 1
