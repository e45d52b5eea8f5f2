-- Changes nothing. Until the transaction ends, the table is shown among those that its session uses.
UPDATE holdfast_schema SET version = version WHERE FALSE
