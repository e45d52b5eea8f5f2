UPDATE holdfast_schema SET token_floor = :token WHERE id = 1 AND token_floor < :token
