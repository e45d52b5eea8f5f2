SELECT version FROM holdfast_schema WHERE id = 1
