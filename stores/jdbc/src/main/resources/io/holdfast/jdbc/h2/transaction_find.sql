SELECT session_id FROM information_schema.locks WHERE UPPER(table_name) = 'HOLDFAST_SCHEMA'
