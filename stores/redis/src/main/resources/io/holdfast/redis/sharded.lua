-- Whether messages can be sent on a channel of a slot: the server is new enough (7.0) and the user is allowed to.
--
-- KEYS    1 a channel of a slot that the server keeps, on which nobody listens
-- Answer  {'yes'} | {'no', why}
local told = redis.pcall('SPUBLISH', KEYS[1], '')
if type(told) == 'table' then
    return {'no', told.err}
end
return {'yes'}
