-- Transactions take milliseconds, and one of these was waited for: who has been idle for so long stands still.
SELECT session_id, ABORT_SESSION(session_id) AS ended FROM information_schema.sessions
WHERE session_state = 'SLEEP' AND sleep_since < DATEADD(MILLISECOND, -500, CURRENT_TIMESTAMP)
    AND session_id IN (SELECT session_id FROM information_schema.locks WHERE table_name = 'HOLDFAST_SCHEMA')
