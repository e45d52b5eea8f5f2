-- Holdfast on PostgreSQL, version 1 of its tables. Running it again changes nothing.
-- Names and owners are UTF-8 bytes: no encoding or collation of the database can make two names one.
-- Times are microseconds since 1970 by the database's clock.

CREATE TABLE IF NOT EXISTS holdfast_schema (
    id          integer PRIMARY KEY,
    version     integer NOT NULL,
    token_floor bigint  NOT NULL
);

CREATE TABLE IF NOT EXISTS holdfast_lock (
    kind       integer NOT NULL,
    name       bytea   NOT NULL,
    holder     varchar(200),
    token      bigint  NOT NULL,
    since      bigint  NOT NULL,
    ends_at    bigint  NOT NULL,
    holds      integer NOT NULL,
    owner      bytea,
    yields     integer NOT NULL,
    called     bigint  NOT NULL,
    last_token bigint  NOT NULL,
    others     integer NOT NULL,
    capacity   integer NOT NULL,
    changes    bigint  NOT NULL,
    used_at    bigint  NOT NULL,
    PRIMARY KEY (kind, name)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS holdfast_claim (
    kind    integer      NOT NULL,
    name    bytea        NOT NULL,
    id      varchar(200) NOT NULL,
    client  varchar(200) NOT NULL,
    mode    integer      NOT NULL,
    held    integer      NOT NULL,
    place   bigint       NOT NULL,
    token   bigint       NOT NULL,
    since   bigint       NOT NULL,
    ends_at bigint       NOT NULL,
    holds   integer      NOT NULL,
    permits integer      NOT NULL,
    beside  varchar(200),
    owner   bytea,
    yields  integer      NOT NULL,
    called  bigint       NOT NULL,
    PRIMARY KEY (kind, name, id)
) WITH (fillfactor = 50);

CREATE INDEX IF NOT EXISTS holdfast_claim_client ON holdfast_claim (client);

-- Two, and of parts of the rows: no plan takes one of them for a claim's row, and reads the whole queue.
CREATE INDEX IF NOT EXISTS holdfast_claim_queue ON holdfast_claim (kind, name, place) WHERE held = 0;
CREATE INDEX IF NOT EXISTS holdfast_claim_held ON holdfast_claim (kind, name) WHERE held = 1;

CREATE TABLE IF NOT EXISTS holdfast_latch (
    name      bytea  NOT NULL,
    id        bytea  NOT NULL,
    remaining bigint NOT NULL,
    changes   bigint NOT NULL,
    used_at   bigint NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE IF NOT EXISTS holdfast_change (
    kind    integer NOT NULL,
    name    bytea   NOT NULL,
    id      bytea   NOT NULL,
    made_at bigint  NOT NULL,
    PRIMARY KEY (kind, name, id)
);

CREATE INDEX IF NOT EXISTS holdfast_change_made ON holdfast_change (kind, made_at);

CREATE TABLE IF NOT EXISTS holdfast_watch (
    kind     integer     NOT NULL,
    name     bytea       NOT NULL,
    listener varchar(40) NOT NULL,
    until_at bigint      NOT NULL,
    PRIMARY KEY (kind, name, listener)
);

INSERT INTO holdfast_schema (id, version, token_floor) VALUES (1, 1, 0) ON CONFLICT (id) DO NOTHING;
