-- Transactions take milliseconds, and one of these was waited for: who has been idle for so long stands still.
SELECT ABORT_SESSION(session_id) AS ended FROM information_schema.sessions
WHERE session_id = :session AND session_state = 'SLEEP'
    AND sleep_since < DATEADD(MILLISECOND, -500, CURRENT_TIMESTAMP)
