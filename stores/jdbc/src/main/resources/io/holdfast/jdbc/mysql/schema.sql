-- Holdfast on MySQL and MariaDB, version 1 of its tables. Running it again changes nothing.
-- Names and owners are UTF-8 bytes: no encoding or collation of the database can make two names one.
-- Times are microseconds since 1970 by the database's clock.

CREATE TABLE IF NOT EXISTS holdfast_schema (
    id          integer PRIMARY KEY,
    version     integer NOT NULL,
    token_floor bigint  NOT NULL
) ENGINE = InnoDB;

CREATE TABLE IF NOT EXISTS holdfast_lock (
    kind       integer NOT NULL,
    name       varbinary(1024) NOT NULL,
    holder     varchar(200) CHARACTER SET ascii COLLATE ascii_bin,
    token      bigint  NOT NULL,
    since      bigint  NOT NULL,
    ends_at    bigint  NOT NULL,
    holds      integer NOT NULL,
    owner      varbinary(1024),
    yields     integer NOT NULL,
    called     bigint  NOT NULL,
    last_token bigint  NOT NULL,
    others     integer NOT NULL,
    capacity   integer NOT NULL,
    changes    bigint  NOT NULL,
    used_at    bigint  NOT NULL,
    PRIMARY KEY (kind, name)
) ENGINE = InnoDB;

CREATE TABLE IF NOT EXISTS holdfast_claim (
    kind    integer      NOT NULL,
    name    varbinary(1024) NOT NULL,
    id      varchar(200) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    client  varchar(200) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    mode    integer      NOT NULL,
    held    integer      NOT NULL,
    place   bigint       NOT NULL,
    token   bigint       NOT NULL,
    since   bigint       NOT NULL,
    ends_at bigint       NOT NULL,
    holds   integer      NOT NULL,
    permits integer      NOT NULL,
    beside  varchar(200) CHARACTER SET ascii COLLATE ascii_bin,
    owner   varbinary(1024),
    yields  integer      NOT NULL,
    called  bigint       NOT NULL,
    PRIMARY KEY (kind, name, id),
    KEY holdfast_claim_client (client),
    KEY holdfast_claim_queue (kind, name, held, place)
) ENGINE = InnoDB;

CREATE TABLE IF NOT EXISTS holdfast_latch (
    name      varbinary(1024) NOT NULL,
    id        varbinary(1024) NOT NULL,
    remaining bigint NOT NULL,
    changes   bigint NOT NULL,
    used_at   bigint NOT NULL,
    PRIMARY KEY (name)
) ENGINE = InnoDB;

CREATE TABLE IF NOT EXISTS holdfast_change (
    kind    integer NOT NULL,
    name    varbinary(1024) NOT NULL,
    id      varbinary(1024) NOT NULL,
    made_at bigint  NOT NULL,
    PRIMARY KEY (kind, name, id),
    KEY holdfast_change_made (kind, made_at)
) ENGINE = InnoDB;

CREATE TABLE IF NOT EXISTS holdfast_watch (
    kind     integer     NOT NULL,
    name     varbinary(1024) NOT NULL,
    listener varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    until_at bigint      NOT NULL,
    PRIMARY KEY (kind, name, listener)
) ENGINE = InnoDB;

INSERT IGNORE INTO holdfast_schema (id, version, token_floor) VALUES (1, 1, 0);
