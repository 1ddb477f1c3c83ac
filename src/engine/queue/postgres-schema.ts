/**
 * The PostgreSQL tables and functions of the shared state, for any role: every name has its schema, because
 * `search_path` differs between roles.
 */

/** Raised whenever the statements below change. */
const VERSION = 3

/** Advisory lock, so only one of several starting processes creates the tables. */
const SETUP_LOCK = 7_446_018

/** PostgreSQL schema of BullMQ, next to ours. */
export function bullSchema(schema: string): string {
  return `${schema}_bullmq`
}

/** Schema names are simple identifiers (see address.ts); quoted, they keep their case. */
export function quoted(schema: string): string {
  return `"${schema}"`
}

/** True if the tables and functions are there, in this version or a newer one. */
export function isSetUp(schema: string): string {
  return `SELECT coalesce(substring(obj_description(to_regclass('${quoted(schema)}.value'), 'pg_class')
    FROM '^Sightline queue ([0-9]+)$')::int, 0) >= ${VERSION} AS ready`
}

/** Creates what is missing. Tables of older versions are kept. All statements are idempotent. */
export function setUp(schema: string): string {
  const s = quoted(schema)
  return `
SELECT pg_advisory_xact_lock(${SETUP_LOCK});
DO $$ BEGIN
  IF to_regnamespace('${s}') IS NULL THEN CREATE SCHEMA ${s}; END IF;
END $$;
CREATE TABLE IF NOT EXISTS ${s}.value (
  kind text, name text, body bytea NOT NULL, expires timestamptz NOT NULL, PRIMARY KEY (kind, name));
CREATE TABLE IF NOT EXISTS ${s}.message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run text NOT NULL, body bytea NOT NULL,
  posted timestamptz NOT NULL DEFAULT now());
CREATE INDEX IF NOT EXISTS letter_run ON ${s}.message (run, id);
CREATE TABLE IF NOT EXISTS ${s}.depot (
  run text, sha256 text, bytes bigint NOT NULL, whole boolean NOT NULL DEFAULT false, expires timestamptz NOT NULL,
  PRIMARY KEY (run, sha256));
CREATE TABLE IF NOT EXISTS ${s}.chunk (
  run text, sha256 text, number int, body bytea NOT NULL, PRIMARY KEY (run, sha256, number));
-- Media is compressed already.
ALTER TABLE ${s}.chunk ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS ${s}.spent (
  run text PRIMARY KEY, usd double precision NOT NULL, tokens double precision NOT NULL,
  unpriced boolean NOT NULL, touched timestamptz NOT NULL DEFAULT now());
ALTER TABLE ${s}.spent ADD COLUMN IF NOT EXISTS started boolean NOT NULL DEFAULT true;
-- The last number of each payer, so that no payment counts twice.
ALTER TABLE ${s}.spent ADD COLUMN IF NOT EXISTS payers jsonb NOT NULL DEFAULT '{}';
CREATE TABLE IF NOT EXISTS ${s}.turn (
  bucket text, lease text, expires timestamptz NOT NULL, PRIMARY KEY (bucket, lease));
CREATE TABLE IF NOT EXISTS ${s}.pace (
  bucket text PRIMARY KEY, paused double precision NOT NULL DEFAULT 0, requests double precision NOT NULL DEFAULT 0,
  tokens double precision NOT NULL DEFAULT 0, touched timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS ${s}.lead (run text PRIMARY KEY, who text NOT NULL, expires timestamptz NOT NULL);

CREATE OR REPLACE FUNCTION ${s}.reserve(run_ text, sha256_ text, bytes_ bigint, quota bigint, claim_ms float, keep_ms float)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE known ${s}.depot%ROWTYPE; used bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(run_, 0));
  SELECT * INTO known FROM ${s}.depot d WHERE d.run = run_ AND d.sha256 = sha256_;
  IF found AND known.whole THEN RETURN 'there'; END IF;
  IF found AND known.expires > clock_timestamp() THEN RETURN 'busy'; END IF;
  DELETE FROM ${s}.depot d WHERE d.run = run_ AND NOT d.whole AND d.expires <= clock_timestamp();
  SELECT coalesce(sum(d.bytes), 0) INTO used FROM ${s}.depot d WHERE d.run = run_;
  IF used > 0 AND used + bytes_ > quota THEN RETURN 'full'; END IF;
  INSERT INTO ${s}.depot (run, sha256, bytes, expires)
    VALUES (run_, sha256_, bytes_, clock_timestamp() + claim_ms * interval '1 millisecond');
  RETURN 'go';
END $$;

-- Returns -1 if the slot is granted, otherwise the milliseconds to wait (0: unknown).
CREATE OR REPLACE FUNCTION ${s}.take_turn(bucket_ text, lease_ text, lease_ms float, connections float,
  request_interval float, request_burst float, token_interval float, token_burst float, tokens_ float)
RETURNS float LANGUAGE plpgsql AS $$
DECLARE p ${s}.pace%ROWTYPE; now_ms float; wait float; next_request float; next_token float; busy bigint;
BEGIN
  INSERT INTO ${s}.pace (bucket) VALUES (bucket_) ON CONFLICT DO NOTHING;
  SELECT * INTO p FROM ${s}.pace WHERE bucket = bucket_ FOR UPDATE;
  now_ms := extract(epoch FROM clock_timestamp()) * 1000;
  IF p.paused > now_ms THEN RETURN ceil(p.paused - now_ms); END IF;
  DELETE FROM ${s}.turn t WHERE t.bucket = bucket_ AND t.expires <= clock_timestamp();
  PERFORM 1 FROM ${s}.turn t WHERE t.bucket = bucket_ AND t.lease = lease_;
  IF found THEN RETURN -1; END IF;
  SELECT count(*) INTO busy FROM ${s}.turn t WHERE t.bucket = bucket_;
  IF busy >= connections THEN RETURN 0; END IF;
  next_request := greatest(p.requests, now_ms);
  next_token := greatest(p.tokens, now_ms);
  wait := greatest(next_request - now_ms - request_burst, next_token - now_ms - token_burst);
  IF wait > 0 THEN RETURN ceil(wait); END IF;
  UPDATE ${s}.pace SET requests = next_request + request_interval, tokens = next_token + token_interval * tokens_,
    touched = now() WHERE bucket = bucket_;
  INSERT INTO ${s}.turn VALUES (bucket_, lease_, clock_timestamp() + lease_ms * interval '1 millisecond');
  RETURN -1;
END $$;

CREATE OR REPLACE FUNCTION ${s}.end_turn(bucket_ text, lease_ text, token_interval float, tokens_ float, pause_ms float)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE now_ms float := extract(epoch FROM clock_timestamp()) * 1000;
BEGIN
  DELETE FROM ${s}.turn t WHERE t.bucket = bucket_ AND t.lease = lease_;
  IF found AND token_interval > 0 THEN
    UPDATE ${s}.pace SET tokens = greatest(tokens, now_ms) + token_interval * tokens_ WHERE bucket = bucket_;
  END IF;
  IF pause_ms > 0 THEN
    UPDATE ${s}.pace SET paused = greatest(paused, now_ms + pause_ms) WHERE bucket = bucket_;
  END IF;
END $$;

COMMENT ON TABLE ${s}.value IS 'Sightline queue ${VERSION}';
`
}

/** Removes what has not been used for a long time. */
export function sweep(schema: string): string {
  const s = quoted(schema)
  return `
DELETE FROM ${s}.value WHERE expires < now();
DELETE FROM ${s}.message WHERE posted < now() - interval '7 days';
DELETE FROM ${s}.spent WHERE touched < now() - interval '7 days';
DELETE FROM ${s}.pace WHERE touched < now() - interval '1 day';
DELETE FROM ${s}.lead WHERE expires < now();
DELETE FROM ${s}.chunk c USING ${s}.depot d
  WHERE c.run = d.run AND c.sha256 = d.sha256 AND d.expires < now() - interval '7 days';
DELETE FROM ${s}.depot WHERE expires < now() - interval '7 days';
`
}
