-- Leaves the last token alone of the records of locks that nobody holds.
--
-- KEYS    for each name the lock and the record: see line.lua
-- Answer  {'trimmed'}
--
-- What is kept of a name that is not used again takes half as much memory like this. A record stays for as long as it would
-- have.
for i = 1, #KEYS, 2 do
    if redis.call('EXISTS', KEYS[i]) == 0 then
        local record = redis.pcall('GET', KEYS[i + 1])
        local last = type(record) == 'string' and string.match(record, '^(%d+) %d+ %d+ %S')
        if last then
            -- Of what is not there: a full server takes SET once a script has written.
            redis.call('HDEL', KEYS[i], '')
            redis.call('SET', KEYS[i + 1], last, 'KEEPTTL')
        end
    end
end
return {'trimmed'}
