-- What the migrations add up to, made by `npm run db:types`. Do not edit.

create extension btree_gin;
create extension btree_gist;
create extension citext;
create extension pg_trgm;

create schema access;

create table access.backup_codes (
  user_id uuid not null,
  code_hash bytea not null,
  constraint backup_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint backup_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column access.backup_codes.user_id is '@type UserId';

create table access.challenges (
  id uuid not null,
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  session_id uuid,
  method text not null,
  door text not null,
  secret text,
  attempts smallint default 0 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint challenges_door_check CHECK ((door = ANY (ARRAY['user'::text, 'admin'::text]))),
  constraint challenges_pkey PRIMARY KEY (id),
  constraint challenges_purpose_check CHECK ((purpose = ANY (ARRAY['mfa-verify'::text, 'mfa-enroll'::text]))),
  constraint challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES accounts.sessions(id) ON DELETE CASCADE,
  constraint challenges_token_hash_key UNIQUE (token_hash),
  constraint challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX challenges_by_expiry ON access.challenges USING btree (expires_at);
CREATE INDEX challenges_by_session ON access.challenges USING btree (session_id);
CREATE INDEX challenges_by_user ON access.challenges USING btree (user_id);
comment on table access.challenges is '@momentary';
comment on column access.challenges.user_id is '@type UserId';
comment on column access.challenges.session_id is '@type SessionId';
comment on column access.challenges.secret is '@sealed';

create table access.identities (
  id uuid not null,
  user_id uuid not null,
  provider text not null,
  issuer text not null,
  subject text not null,
  label text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null,
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_provider_check CHECK ((provider = ANY (ARRAY['google'::text, 'microsoft'::text, 'apple'::text, 'zoho'::text]))),
  constraint identities_subject UNIQUE (issuer, subject),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX identities_by_user ON access.identities USING btree (user_id);
comment on column access.identities.id is '@type IdentityId';
comment on column access.identities.user_id is '@type UserId';

create table access.mail_codes (
  user_id uuid not null,
  purpose text not null,
  email text not null,
  code_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint mail_codes_code_hash_key UNIQUE (code_hash),
  constraint mail_codes_pkey PRIMARY KEY (user_id, purpose),
  constraint mail_codes_purpose_check CHECK ((purpose = ANY (ARRAY['verify'::text, 'reset'::text, 'change-email'::text]))),
  constraint mail_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX mail_codes_by_expiry ON access.mail_codes USING btree (expires_at);
comment on table access.mail_codes is '@momentary';
comment on column access.mail_codes.user_id is '@type UserId';

create table access.passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint default 0 not null,
  transports text[] default '{}'::text[] not null,
  is_synced boolean not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint passkeys_credential UNIQUE (credential_id),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_by_user ON access.passkeys USING btree (user_id);
comment on column access.passkeys.id is '@type PasskeyId';
comment on column access.passkeys.user_id is '@type UserId';

create table access.passwords (
  user_id uuid not null,
  hash text not null,
  changed_at timestamp with time zone default now() not null,
  constraint passwords_pkey PRIMARY KEY (user_id),
  constraint passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column access.passwords.user_id is '@type UserId';

create table access.set_up (
  only_row boolean default true not null,
  used_at timestamp with time zone default now() not null,
  constraint set_up_only_row_check CHECK (only_row),
  constraint set_up_pkey PRIMARY KEY (only_row)
);

create table access.set_up_link (
  only_row boolean default true not null,
  printed_at timestamp with time zone default now() not null,
  constraint set_up_link_only_row_check CHECK (only_row),
  constraint set_up_link_pkey PRIMARY KEY (only_row)
);

create table access.totp (
  user_id uuid not null,
  secret text not null,
  last_step bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint totp_pkey PRIMARY KEY (user_id),
  constraint totp_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column access.totp.user_id is '@type UserId';
comment on column access.totp.secret is '@sealed';

create schema accounts;

create view accounts.active as
 SELECT DISTINCT user_id
   FROM accounts.sessions
  WHERE last_seen_at > (now() - 'P30D'::interval);

create table accounts.api_keys (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  token_hash bytea not null,
  masked text not null,
  scopes text[] not null,
  second_factor boolean not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  expires_at timestamp with time zone default (now() + 'P90D'::interval) not null,
  constraint api_keys_name_check CHECK (((name <> ''::text) AND (length(name) <= 60))),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ '{read,write,admin:read,admin:write}'::text[]))),
  constraint api_keys_token_hash_key UNIQUE (token_hash),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX api_keys_by_user ON accounts.api_keys USING btree (user_id);
comment on column accounts.api_keys.user_id is '@type UserId';

create table accounts.audit (
  position bigint not null,
  at timestamp with time zone not null,
  actor_id uuid,
  by_system boolean generated always as ((actor_id IS NULL)) stored not null,
  action text not null,
  subject_kind text,
  subject_id text,
  reason text,
  request_id text,
  details jsonb default '{}'::jsonb not null,
  words text generated always as (lower(((COALESCE(reason, ''::text) || ' '::text) || (details)::text))) stored not null,
  hash bytea not null,
  constraint audit_check CHECK (((subject_kind IS NULL) = (subject_id IS NULL))),
  constraint audit_details_check CHECK (((jsonb_typeof(details) = 'object'::text) AND (pg_column_size(details) <= 1000))),
  constraint audit_pkey PRIMARY KEY ("position"),
  constraint audit_reason_check CHECK (((length(reason) >= 3) AND (length(reason) <= 500)))
);
CREATE INDEX audit_by_action ON accounts.audit USING btree (by_system, action, "position");
CREATE INDEX audit_by_actor ON accounts.audit USING btree (actor_id, action, "position");
CREATE INDEX audit_by_subject ON accounts.audit USING btree (subject_id, "position") WHERE (subject_id IS NOT NULL);
CREATE INDEX audit_by_time ON accounts.audit USING btree (at);
CREATE INDEX audit_by_word ON accounts.audit USING gin (accounts.words_of(words));
CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON accounts.audit FOR EACH ROW EXECUTE FUNCTION accounts.refuse_audit_change();
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON accounts.audit FOR EACH STATEMENT EXECUTE FUNCTION accounts.refuse_audit_change();
comment on column accounts.audit.actor_id is '@type UserId';

create table accounts.audit_pending (
  id bigint generated always as identity not null,
  actor_id uuid,
  action text not null,
  subject_kind text,
  subject_id text,
  reason text,
  request_id text,
  details jsonb default '{}'::jsonb not null,
  constraint audit_pending_pkey PRIMARY KEY (id),
  constraint chain TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE CONSTRAINT TRIGGER chain AFTER INSERT ON accounts.audit_pending DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION accounts.chain_audit();
comment on column accounts.audit_pending.actor_id is '@type UserId';

create table accounts.avatars (
  user_id uuid not null,
  file text not null,
  bytes bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint avatars_file_key UNIQUE (file),
  constraint avatars_pkey PRIMARY KEY (user_id),
  constraint avatars_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column accounts.avatars.user_id is '@type UserId';

create table accounts.farewells (
  user_id uuid not null,
  constraint farewells_pkey PRIMARY KEY (user_id),
  constraint farewells_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column accounts.farewells.user_id is '@type UserId';

create table accounts.flags (
  name text not null,
  enabled boolean not null,
  rollout smallint not null,
  changed_at timestamp with time zone default now() not null,
  constraint flags_pkey PRIMARY KEY (name),
  constraint flags_rollout_check CHECK (((rollout >= 0) AND (rollout <= 100)))
);

create view accounts.people as
 SELECT id AS user_id,
    role,
    split_part(zone, '/'::text, 1) AS region,
    created_at,
    leaving_at IS NOT NULL AS leaving
   FROM accounts.users;

create table accounts.remains (
  id bigint generated always as identity not null,
  user_id uuid not null,
  place text not null,
  blocks integer not null,
  reason text not null,
  constraint remains_blocks_check CHECK ((blocks > 0)),
  constraint remains_pkey PRIMARY KEY (id),
  constraint remains_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX remains_by_user ON accounts.remains USING btree (user_id);
comment on column accounts.remains.user_id is '@type UserId';

create table accounts.sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  user_agent text,
  ip text,
  created_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  authenticated_at timestamp with time zone default now() not null,
  second_factor boolean default false not null,
  method text default 'password'::text not null,
  opened_from uuid,
  impersonator_id uuid,
  constraint sessions_check CHECK (((opened_from IS NULL) = (impersonator_id IS NULL))),
  constraint sessions_impersonator_id_fkey FOREIGN KEY (impersonator_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint sessions_opened_from_fkey FOREIGN KEY (opened_from) REFERENCES accounts.sessions(id) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_key UNIQUE (token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_expiry ON accounts.sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON accounts.sessions USING btree (user_id);
CREATE INDEX sessions_opened_from ON accounts.sessions USING btree (opened_from) WHERE (opened_from IS NOT NULL);
comment on table accounts.sessions is '@momentary';
comment on column accounts.sessions.id is '@type SessionId';
comment on column accounts.sessions.user_id is '@type UserId';
comment on column accounts.sessions.opened_from is '@type SessionId';
comment on column accounts.sessions.impersonator_id is '@type UserId';

create table accounts.settings (
  only_row boolean default true not null,
  require_admin_mfa boolean default true not null,
  sign_up text default 'open'::text not null,
  sign_up_allowed text[] default '{}'::text[] not null,
  blocked_guests text[] default '{}'::text[] not null,
  constraint settings_blocked_guests_check CHECK ((cardinality(blocked_guests) <= 500)),
  constraint settings_only_row_check CHECK (only_row),
  constraint settings_pkey PRIMARY KEY (only_row),
  constraint settings_sign_up_allowed_check CHECK ((cardinality(sign_up_allowed) <= 200)),
  constraint settings_sign_up_check CHECK ((sign_up = ANY (ARRAY['open'::text, 'invited'::text, 'closed'::text])))
);

create table accounts.trail (
  id uuid not null,
  seq bigint generated always as identity not null,
  user_id uuid not null,
  at timestamp with time zone default now() not null,
  kind text not null,
  ip text,
  user_agent text,
  details jsonb default '{}'::jsonb not null,
  constraint trail_details_check CHECK (((jsonb_typeof(details) = 'object'::text) AND (pg_column_size(details) <= 1000))),
  constraint trail_pkey PRIMARY KEY (id),
  constraint trail_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX trail_by_age ON accounts.trail USING btree (at);
CREATE INDEX trail_by_user ON accounts.trail USING btree (user_id, seq);
comment on column accounts.trail.user_id is '@type UserId';

create table accounts.users (
  id uuid not null,
  email text not null,
  name text,
  company text,
  phone text,
  role text default 'user'::text not null,
  zone text default 'UTC'::text not null,
  locale text default 'en-US'::text not null,
  time_format text default '12h'::text not null,
  date_format text default 'YYYY-MM-DD'::text not null,
  week_start smallint default 7 not null,
  notifications jsonb default '{"syncErrors": true, "productUpdates": false, "bookingReminders": true}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  email_verified_at timestamp with time zone,
  mfa_enabled_at timestamp with time zone,
  leaving_at timestamp with time zone,
  weekends boolean default true not null,
  week_numbers boolean default false not null,
  more_zones text[] default '{}'::text[] not null,
  theme text default 'system'::text not null,
  density text default 'comfortable'::text not null,
  suspended_at timestamp with time zone,
  last_active_at timestamp with time zone,
  hide_email boolean default false not null,
  constraint users_density_check CHECK ((density = ANY (ARRAY['comfortable'::text, 'compact'::text]))),
  constraint users_email_key UNIQUE (email),
  constraint users_more_zones_check CHECK ((cardinality(more_zones) <= 2)),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_role_check CHECK ((role = ANY (ARRAY['user'::text, 'admin'::text]))),
  constraint users_theme_check CHECK ((theme = ANY (ARRAY['system'::text, 'light'::text, 'dark'::text]))),
  constraint users_time_format_check CHECK ((time_format = ANY (ARRAY['12h'::text, '24h'::text]))),
  constraint users_week_start_check CHECK (((week_start >= 1) AND (week_start <= 7)))
);
CREATE INDEX users_administrators ON accounts.users USING btree (id) WHERE (role = 'admin'::text);
CREATE INDEX users_by_words ON accounts.users USING gin ((((email || ' '::text) || lower(COALESCE(name, ''::text)))) gin_trgm_ops);
CREATE INDEX users_leaving ON accounts.users USING btree (leaving_at) WHERE (leaving_at IS NOT NULL);
CREATE TRIGGER drop_audit AFTER DELETE ON accounts.users REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION sync.drop_audit();
CREATE TRIGGER hold_leaver AFTER UPDATE OF leaving_at ON accounts.users FOR EACH ROW WHEN (((old.leaving_at IS NULL) AND (new.leaving_at IS NOT NULL))) EXECUTE FUNCTION booking.hold_leaver();
comment on column accounts.users.id is '@type UserId';

CREATE OR REPLACE FUNCTION accounts.chain_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before accounts.audit;
  place bigint;
  moment timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('accounts.audit'));
  select * into before from accounts.audit order by position desc limit 1;
  place := coalesce(before.position, 0) + 1;
  moment := greatest(clock_timestamp(), before.at);
  insert into accounts.audit (position, at, actor_id, action, subject_kind, subject_id, reason, request_id, details, hash)
  values (place, moment, new.actor_id, new.action, new.subject_kind, new.subject_id, new.reason, new.request_id,
    new.details, sha256(coalesce(before.hash, '') || convert_to(jsonb_build_array(place, extract(epoch from moment),
      new.actor_id, new.action, new.subject_kind, new.subject_id, new.reason, new.request_id, new.details)::text, 'UTF8')));
  delete from accounts.audit_pending where id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION accounts.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit only grows' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION accounts.words_of(text text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN array_to_tsvector(array_remove(regexp_split_to_array(regexp_replace(text, '([\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff])'::text, ' \1 '::text, 'g'::text), '[^a-z0-9\u00c0-\u1fff\u2c00-\u2fff\u3040-\ud7af\uf900-\ufffd]+'::text), ''::text));

create schema admin;

create table admin.alerts (
  id bigint generated always as identity not null,
  rule text not null,
  subject text default ''::text not null,
  level text not null,
  facts jsonb default '{}'::jsonb not null,
  raised_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint alerts_level_check CHECK ((level = ANY (ARRAY['info'::text, 'warning'::text, 'error'::text]))),
  constraint alerts_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX alerts_standing ON admin.alerts USING btree (rule, subject) WHERE (ended_at IS NULL);

create table admin.probe_sums (
  service text not null,
  hour timestamp with time zone not null,
  good integer default 0 not null,
  bad integer default 0 not null,
  constraint probe_sums_pkey PRIMARY KEY (service, hour)
);

create table admin.processes (
  id uuid not null,
  role text not null,
  streams integer not null,
  started_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone default now() not null,
  constraint processes_pkey PRIMARY KEY (id),
  constraint processes_role_check CHECK ((role = ANY (ARRAY['web'::text, 'worker'::text, 'all'::text])))
);

create table admin.watched (
  only_one boolean default true not null,
  watched_at timestamp with time zone,
  measured_at timestamp with time zone default now() not null,
  services jsonb default '[]'::jsonb not null,
  counted_at timestamp with time zone,
  counts jsonb,
  log_days integer default 30 not null,
  constraint watched_log_days_check CHECK (((log_days >= 7) AND (log_days <= 365))),
  constraint watched_only_one_check CHECK (only_one),
  constraint watched_pkey PRIMARY KEY (only_one)
);

create schema analytics;

create table analytics.began (
  only_one boolean default true not null,
  at_ms bigint not null,
  constraint began_only_one_check CHECK (only_one),
  constraint began_pkey PRIMARY KEY (only_one)
);

create table analytics.days (
  host_id uuid not null,
  day date not null,
  created integer not null,
  lead_ms bigint not null,
  kept integer not null,
  kept_lead_ms bigint not null,
  cancelled integer not null,
  standing integer not null,
  due integer not null,
  no_shows integer not null,
  host_no_shows integer not null,
  constraint days_host_id_fkey FOREIGN KEY (host_id) REFERENCES analytics.people(user_id) ON DELETE CASCADE,
  constraint days_pkey PRIMARY KEY (host_id, day)
);
comment on column analytics.days.host_id is '@type UserId';

create table analytics.digests (
  user_id uuid not null,
  asked_ms bigint not null,
  constraint digests_pkey PRIMARY KEY (user_id),
  constraint digests_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column analytics.digests.user_id is '@type UserId';

create table analytics.facts (
  booking_id uuid not null,
  host_id uuid not null,
  event_type_id uuid,
  team_id uuid,
  calendar_id uuid,
  state text not null,
  created_ms bigint not null,
  start_ms bigint not null,
  end_ms bigint not null,
  ended_ms bigint,
  confirmed_ms bigint,
  guest_no_show boolean not null,
  host_no_show boolean not null,
  guest_zone text,
  constraint facts_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking.bookings(id) ON DELETE CASCADE,
  constraint facts_host_id_fkey FOREIGN KEY (host_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint facts_pkey PRIMARY KEY (booking_id, host_id),
  constraint facts_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'declined'::text, 'cancelled'::text, 'expired'::text])))
);
CREATE INDEX facts_by_creation ON analytics.facts USING btree (host_id, created_ms);
CREATE INDEX facts_by_end ON analytics.facts USING btree (host_id, ended_ms) WHERE (ended_ms IS NOT NULL);
CREATE INDEX facts_by_start ON analytics.facts USING btree (host_id, start_ms);
CREATE INDEX facts_of_team_by_creation ON analytics.facts USING btree (team_id, created_ms) WHERE (team_id IS NOT NULL);
CREATE INDEX facts_of_team_by_end ON analytics.facts USING btree (team_id, ended_ms) WHERE ((team_id IS NOT NULL) AND (ended_ms IS NOT NULL));
CREATE INDEX facts_of_team_by_start ON analytics.facts USING btree (team_id, start_ms) WHERE (team_id IS NOT NULL);
CREATE TRIGGER distrust_sums AFTER DELETE ON analytics.facts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION analytics.distrust_sums();
comment on column analytics.facts.booking_id is '@type BookingId';
comment on column analytics.facts.host_id is '@type UserId';
comment on column analytics.facts.event_type_id is '@type EventTypeId';
comment on column analytics.facts.team_id is '@type TeamId';
comment on column analytics.facts.calendar_id is '@type CalendarId';

create view analytics.meetings as
 SELECT s.user_id,
    s.calendar_id,
    s.item_id,
    s.start_ms,
    s.end_ms,
    i.title,
    COALESCE(i.uid, i.id::text) AS key,
    c.provider,
    c.profile,
    false AS booked,
    NULL::uuid AS event_type_id,
    NULL::uuid AS team_id,
    s.rec_id,
    NULL::uuid AS booking_id
   FROM calendar.spans s
     JOIN calendar.items i ON i.id = s.item_id
     JOIN connections.calendars k ON k.id = s.calendar_id
     JOIN connections.connections c ON c.id = k.connection_id
  WHERE s.meeting AND s.class <> 'ignore'::text AND i.provenance = 'foreign'::text AND i.gone_at IS NULL
UNION ALL
 SELECT f.host_id AS user_id,
    f.calendar_id,
    m.item_id,
    f.start_ms,
    f.end_ms,
    m.title,
    COALESCE(pi.uid, m.key) AS key,
    NULL::text AS provider,
    NULL::text AS profile,
    true AS booked,
    f.event_type_id,
    f.team_id,
    ''::text AS rec_id,
    f.booking_id
   FROM analytics.facts f
     JOIN booking.met m ON m.booking_id = f.booking_id
     JOIN booking.bookings b ON b.id = f.booking_id
     LEFT JOIN booking.copies p ON p.appointment_id = b.appointment_id AND p.host_id = f.host_id
     LEFT JOIN calendar.items pi ON pi.id = p.item_id;

create view analytics.met as
 SELECT m.user_id,
    m.address,
    m.key,
    m.start_ms,
    m.end_ms,
    m.title,
    i.calendar_id,
    m.item_id,
    m.rec_id
   FROM contacts.meetings m
     LEFT JOIN calendar.items i ON i.id = m.item_id;

create table analytics.people (
  user_id uuid not null,
  zone text not null,
  whole boolean default false not null,
  constraint people_pkey PRIMARY KEY (user_id),
  constraint people_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column analytics.people.user_id is '@type UserId';

create table analytics.salts (
  day date not null,
  salt text not null,
  constraint salts_pkey PRIMARY KEY (day)
);
comment on table analytics.salts is '@momentary';
comment on column analytics.salts.salt is '@sealed';

create table analytics.visits (
  id bigint generated always as identity not null,
  event_type_id uuid not null,
  visitor bytea not null,
  first_ms bigint not null,
  last_ms bigint not null,
  chosen_ms bigint,
  submitted_ms bigint,
  booking_id uuid,
  constraint visits_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking.bookings(id) ON DELETE SET NULL,
  constraint visits_event_type_id_fkey FOREIGN KEY (event_type_id) REFERENCES booking.event_types(id) ON DELETE CASCADE,
  constraint visits_pkey PRIMARY KEY (id)
);
CREATE INDEX visits_by_booking ON analytics.visits USING btree (booking_id) WHERE (booking_id IS NOT NULL);
CREATE INDEX visits_by_type ON analytics.visits USING btree (event_type_id, first_ms);
CREATE INDEX visits_by_visitor ON analytics.visits USING btree (visitor, last_ms);
comment on column analytics.visits.event_type_id is '@type EventTypeId';
comment on column analytics.visits.booking_id is '@type BookingId';

CREATE OR REPLACE FUNCTION analytics.distrust_sums()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update analytics.people set whole = false where user_id in (select host_id from gone) and whole;
  return null;
end $function$;

create schema availability;

create table availability.days_off (
  id uuid not null,
  user_id uuid not null,
  first_day date not null,
  last_day date not null,
  reason text default ''::text not null,
  constraint days_off_check CHECK ((last_day >= first_day)),
  constraint days_off_pkey PRIMARY KEY (id),
  constraint days_off_reason_check CHECK ((length(reason) <= 200)),
  constraint days_off_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX days_off_by_user ON availability.days_off USING btree (user_id, last_day);
CREATE TRIGGER revise AFTER INSERT OR DELETE OR UPDATE ON availability.days_off FOR EACH ROW EXECUTE FUNCTION availability.revise();
comment on column availability.days_off.user_id is '@type UserId';

create table availability.defaults (
  user_id uuid not null,
  from_ms bigint not null,
  policy_id uuid not null,
  constraint defaults_pkey PRIMARY KEY (user_id, from_ms),
  constraint defaults_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint defaults_user_id_policy_id_fkey FOREIGN KEY (user_id, policy_id) REFERENCES availability.policies(user_id, id) ON DELETE CASCADE
);
CREATE TRIGGER revise AFTER INSERT OR DELETE OR UPDATE ON availability.defaults FOR EACH ROW EXECUTE FUNCTION availability.revise();
comment on column availability.defaults.user_id is '@type UserId';
comment on column availability.defaults.policy_id is '@type PolicyId';

create table availability.hold_rules (
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  value text default ''::text not null,
  rank smallint default 4 not null,
  constraint hold_rules_kind_check CHECK ((kind = ANY (ARRAY['calendar'::text, 'title-prefix'::text, 'color'::text, 'category'::text, 'tentative'::text, 'focus'::text]))),
  constraint hold_rules_pkey PRIMARY KEY (id),
  constraint hold_rules_rank_check CHECK (((rank >= 1) AND (rank <= 4))),
  constraint hold_rules_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint hold_rules_user_id_kind_value_key UNIQUE (user_id, kind, value),
  constraint hold_rules_value_check CHECK ((length(value) <= 100))
);
comment on column availability.hold_rules.user_id is '@type UserId';

create table availability.holds (
  item_id uuid not null,
  user_id uuid not null,
  rank smallint not null,
  harden_ms bigint,
  constraint holds_harden_ms_check CHECK ((harden_ms > 0)),
  constraint holds_pkey PRIMARY KEY (item_id),
  constraint holds_rank_check CHECK (((rank >= 1) AND (rank <= 4))),
  constraint holds_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX holds_by_user ON availability.holds USING btree (user_id);
comment on column availability.holds.item_id is '@type ItemId';
comment on column availability.holds.user_id is '@type UserId';

create table availability.holidays (
  user_id uuid not null,
  country text not null,
  region text,
  worked text[] default '{}'::text[] not null,
  constraint holidays_pkey PRIMARY KEY (user_id),
  constraint holidays_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint holidays_worked_check CHECK ((cardinality(worked) <= 100))
);
CREATE TRIGGER revise AFTER INSERT OR DELETE OR UPDATE ON availability.holidays FOR EACH ROW EXECUTE FUNCTION availability.revise();
comment on column availability.holidays.user_id is '@type UserId';

create table availability.policies (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  version integer not null,
  created_ms bigint not null,
  deleted_ms bigint,
  constraint policies_id_version_fkey FOREIGN KEY (id, version) REFERENCES availability.versions(policy_id, n) DEFERRABLE INITIALLY DEFERRED,
  constraint policies_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint policies_pkey PRIMARY KEY (id),
  constraint policies_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint policies_user_id_id_key UNIQUE (user_id, id),
  constraint policies_version_check CHECK ((version > 0))
);
CREATE UNIQUE INDEX policies_name ON availability.policies USING btree (user_id, lower(name)) WHERE (deleted_ms IS NULL);
CREATE TRIGGER revise AFTER INSERT OR DELETE OR UPDATE ON availability.policies FOR EACH ROW EXECUTE FUNCTION availability.revise();
comment on column availability.policies.id is '@type PolicyId';
comment on column availability.policies.user_id is '@type UserId';

create table availability.policy_uses (
  kind text not null,
  subject_id uuid not null,
  user_id uuid not null,
  policy_id uuid not null,
  n integer,
  label text not null,
  constraint policy_uses_pkey PRIMARY KEY (kind, subject_id),
  constraint policy_uses_user_id_policy_id_fkey FOREIGN KEY (user_id, policy_id) REFERENCES availability.policies(user_id, id) ON DELETE CASCADE
);
CREATE INDEX policy_uses_by_policy ON availability.policy_uses USING btree (policy_id);
comment on column availability.policy_uses.user_id is '@type UserId';
comment on column availability.policy_uses.policy_id is '@type PolicyId';

create table availability.revisions (
  user_id uuid not null,
  revision uuid default gen_random_uuid() not null,
  constraint revisions_pkey PRIMARY KEY (user_id),
  constraint revisions_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column availability.revisions.user_id is '@type UserId';

create table availability.travels (
  id uuid not null,
  user_id uuid not null,
  zone text not null,
  first_day date not null,
  last_day date not null,
  constraint travels_check CHECK ((last_day >= first_day)),
  constraint travels_pkey PRIMARY KEY (id),
  constraint travels_user_id_daterange_excl EXCLUDE USING gist (user_id WITH =, daterange(first_day, last_day, '[]'::text) WITH &&),
  constraint travels_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE TRIGGER revise AFTER INSERT OR DELETE OR UPDATE ON availability.travels FOR EACH ROW EXECUTE FUNCTION availability.revise();
comment on column availability.travels.user_id is '@type UserId';

create table availability.versions (
  policy_id uuid not null,
  n integer not null,
  hours jsonb not null,
  note text default ''::text not null,
  author_id uuid,
  created_ms bigint not null,
  times integer generated always as (((COALESCE(jsonb_array_length((hours -> 'overrides'::text)), 0) + jsonb_array_length(jsonb_path_query_array(hours, '$."overrides"[*]."intervals"[*]'::jsonpath))) + jsonb_array_length(jsonb_path_query_array(hours, '$."weekly".*."intervals"[*]'::jsonpath)))) stored not null,
  constraint versions_author_id_fkey FOREIGN KEY (author_id) REFERENCES accounts.users(id) ON DELETE SET NULL,
  constraint versions_n_check CHECK ((n > 0)),
  constraint versions_note_check CHECK ((length(note) <= 500)),
  constraint versions_pkey PRIMARY KEY (policy_id, n),
  constraint versions_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES availability.policies(id) ON DELETE CASCADE
);
comment on column availability.versions.policy_id is '@type PolicyId';
comment on column availability.versions.author_id is '@type UserId';

CREATE OR REPLACE FUNCTION availability.revise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- of an account that is being removed nothing is left to be named
  insert into availability.revisions (user_id) select id from accounts.users where id in (old.user_id, new.user_id)
  on conflict (user_id) do update set revision = default;
  return null;
end $function$;

create schema billing;

create table billing.codes (
  id uuid not null,
  code text not null,
  percent smallint,
  amount integer,
  currency text,
  months smallint,
  extra_days smallint,
  max_uses integer,
  uses integer default 0 not null,
  expires_ms bigint,
  made_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint codes_amount_check CHECK (((amount >= 1) AND (amount <= 99999999))),
  constraint codes_check CHECK (((uses >= 0) AND (uses <= COALESCE(max_uses, uses)))),
  constraint codes_check1 CHECK ((num_nonnulls(percent, amount) <= 1)),
  constraint codes_check2 CHECK (((amount IS NULL) = (currency IS NULL))),
  constraint codes_check3 CHECK ((num_nonnulls(percent, amount, extra_days) > 0)),
  constraint codes_code_check CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{3,39}$'::text)),
  constraint codes_code_key UNIQUE (code),
  constraint codes_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
  constraint codes_extra_days_check CHECK (((extra_days >= 1) AND (extra_days <= 365))),
  constraint codes_max_uses_check CHECK (((max_uses >= 1) AND (max_uses <= 1000000))),
  constraint codes_months_check CHECK (((months >= 1) AND (months <= 36))),
  constraint codes_percent_check CHECK (((percent >= 1) AND (percent <= 100))),
  constraint codes_pkey PRIMARY KEY (id)
);

create table billing.customers (
  id text not null,
  user_id uuid not null,
  live boolean not null,
  reading bigint default 0 not null,
  kept bigint default 0 not null,
  read_at timestamp with time zone,
  constraint customers_pkey PRIMARY KEY (id),
  constraint customers_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.people(user_id) ON DELETE CASCADE,
  constraint customers_user_id_live_key UNIQUE (user_id, live)
);
CREATE INDEX customers_by_reading ON billing.customers USING btree (live, read_at);
comment on column billing.customers.user_id is '@type UserId';

create table billing.departures (
  customer_id text not null,
  live boolean not null,
  asked_at timestamp with time zone default now() not null,
  constraint departures_pkey PRIMARY KEY (customer_id)
);

create table billing.events (
  id text not null,
  received_at timestamp with time zone default now() not null,
  constraint events_pkey PRIMARY KEY (id)
);
CREATE INDEX events_by_age ON billing.events USING btree (received_at);

create table billing.intents (
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  details jsonb not null,
  asked_at timestamp with time zone default now() not null,
  outcome text,
  ended_at timestamp with time zone,
  constraint intents_kind_check CHECK ((kind = ANY (ARRAY['checkout'::text, 'change'::text, 'cancel'::text, 'keep'::text]))),
  constraint intents_pkey PRIMARY KEY (id),
  constraint intents_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.people(user_id) ON DELETE CASCADE
);
CREATE INDEX intents_by_person ON billing.intents USING btree (user_id, asked_at);
comment on column billing.intents.user_id is '@type UserId';

create table billing.invoices (
  id text not null,
  customer_id text not null,
  number text,
  status text not null,
  total integer not null,
  currency text not null,
  created_ms bigint not null,
  paid_ms bigint,
  next_attempt_ms bigint,
  page_url text,
  pdf_url text,
  constraint invoices_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES billing.customers(id) ON DELETE CASCADE,
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'paid'::text, 'void'::text, 'uncollectible'::text])))
);
CREATE INDEX invoices_by_creation ON billing.invoices USING btree (created_ms DESC, id DESC);
CREATE INDEX invoices_by_customer ON billing.invoices USING btree (customer_id, created_ms DESC);

create table billing.people (
  user_id uuid not null,
  trial_started_ms bigint,
  trial_ends_ms bigint,
  customers_lost integer default 0 not null,
  constraint people_check CHECK (((trial_started_ms IS NULL) = (trial_ends_ms IS NULL))),
  constraint people_check1 CHECK ((((trial_ends_ms - trial_started_ms) >= 0) AND ((trial_ends_ms - trial_started_ms) <= '31536000000'::bigint))),
  constraint people_pkey PRIMARY KEY (user_id),
  constraint people_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column billing.people.user_id is '@type UserId';

create table billing.plans (
  key text not null,
  name text not null,
  description text default ''::text not null,
  amount integer not null,
  currency text not null,
  every text not null,
  features text[] not null,
  calendars integer,
  teams integer,
  workflows integer,
  history_days integer,
  trial_days integer,
  trial_eligible boolean default false not null,
  active boolean not null,
  most_popular boolean default false not null,
  position integer not null,
  revision integer default 1 not null,
  constraint plans_amount_check CHECK (((amount >= 0) AND (amount <= 99999999))),
  constraint plans_calendars_check CHECK ((calendars >= 0)),
  constraint plans_check CHECK (((trial_days IS NULL) OR ((amount = 0) AND (NOT trial_eligible)))),
  constraint plans_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
  constraint plans_description_check CHECK ((length(description) <= 200)),
  constraint plans_every_check CHECK ((every = ANY (ARRAY['month'::text, 'year'::text]))),
  constraint plans_features_check CHECK ((cardinality(features) <= 20)),
  constraint plans_history_days_check CHECK ((history_days >= 30)),
  constraint plans_key_check CHECK ((key ~ '^[a-z][a-z0-9-]{0,39}$'::text)),
  constraint plans_name_check CHECK (((name <> ''::text) AND (length(name) <= 60))),
  constraint plans_pkey PRIMARY KEY (key),
  constraint plans_teams_check CHECK ((teams >= 0)),
  constraint plans_trial_days_check CHECK (((trial_days >= 1) AND (trial_days <= 365))),
  constraint plans_workflows_check CHECK ((workflows >= 0))
);
CREATE UNIQUE INDEX plans_one_trial ON billing.plans USING btree ((true)) WHERE (trial_days IS NOT NULL);

create table billing.portals (
  live boolean not null,
  configuration_id text not null,
  constraint portals_pkey PRIMARY KEY (live)
);

create table billing.prices (
  id text not null,
  plan_key text not null,
  live boolean not null,
  amount integer not null,
  currency text not null,
  every text not null,
  constraint prices_pkey PRIMARY KEY (id),
  constraint prices_plan_key_fkey FOREIGN KEY (plan_key) REFERENCES billing.plans(key),
  constraint prices_plan_key_live_amount_currency_every_key UNIQUE (plan_key, live, amount, currency, every)
);

create table billing.redemptions (
  code_id uuid not null,
  user_id uuid not null,
  redeemed_ms bigint not null,
  constraint redemptions_code_id_fkey FOREIGN KEY (code_id) REFERENCES billing.codes(id),
  constraint redemptions_pkey PRIMARY KEY (user_id, code_id),
  constraint redemptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.people(user_id) ON DELETE CASCADE
);
CREATE INDEX redemptions_by_code ON billing.redemptions USING btree (code_id);
comment on column billing.redemptions.user_id is '@type UserId';

create table billing.subscriptions (
  id text not null,
  customer_id text not null,
  item_id text not null,
  status text not null,
  price_id text not null,
  amount integer not null,
  currency text not null,
  every text not null,
  started_ms bigint not null,
  period_ends_ms bigint not null,
  trial_ends_ms bigint,
  cancels_ms bigint,
  ended_ms bigint,
  unpaid_since_ms bigint,
  next_amount integer,
  constraint subscriptions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES billing.customers(id) ON DELETE CASCADE,
  constraint subscriptions_pkey PRIMARY KEY (id),
  constraint subscriptions_status_check CHECK ((status = ANY (ARRAY['incomplete'::text, 'incomplete_expired'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text, 'unpaid'::text, 'paused'::text])))
);
CREATE INDEX subscriptions_by_customer ON billing.subscriptions USING btree (customer_id);

create schema booking;

create table booking.answers (
  id uuid not null,
  event_type_id uuid not null,
  key_hash bytea not null,
  body_hash bytea not null,
  answer text,
  created_ms bigint not null,
  constraint answers_event_type_id_fkey FOREIGN KEY (event_type_id) REFERENCES booking.event_types(id) ON DELETE CASCADE,
  constraint answers_event_type_id_key_hash_key UNIQUE (event_type_id, key_hash),
  constraint answers_pkey PRIMARY KEY (id)
);
CREATE INDEX answers_by_age ON booking.answers USING btree (created_ms);
comment on column booking.answers.event_type_id is '@type EventTypeId';
comment on column booking.answers.answer is '@sealed';

create table booking.appointments (
  id uuid not null,
  user_id uuid not null,
  event_type_id uuid,
  host_ids uuid[] not null,
  title text not null,
  start_ms bigint not null,
  end_ms bigint not null,
  buffer_before_ms bigint not null,
  buffer_after_ms bigint not null,
  seats integer not null,
  location jsonb not null,
  join_url text,
  policy_id uuid,
  policy_n integer,
  live boolean default true not null,
  calendar_id uuid,
  item_id uuid,
  event_key text not null,
  writes integer default 0 not null,
  event_ref text,
  restores integer default 0 not null,
  turn_of uuid,
  assigned_ms bigint,
  passed jsonb,
  constraint appointments_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES connections.calendars(id) ON DELETE SET NULL,
  constraint appointments_check CHECK ((end_ms > start_ms)),
  constraint appointments_event_type_id_fkey FOREIGN KEY (event_type_id) REFERENCES booking.event_types(id) ON DELETE SET NULL,
  constraint appointments_pkey PRIMARY KEY (id),
  constraint appointments_seats_check CHECK ((seats >= 1)),
  constraint appointments_turn_of_fkey FOREIGN KEY (turn_of) REFERENCES accounts.users(id) ON DELETE SET NULL,
  constraint appointments_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint appointments_whole_minutes CHECK ((((start_ms % (60000)::bigint) = 0) AND ((end_ms % (60000)::bigint) = 0)))
);
CREATE INDEX appointments_by_item ON booking.appointments USING btree (item_id) WHERE (item_id IS NOT NULL);
CREATE INDEX appointments_by_turn ON booking.appointments USING btree (turn_of) WHERE (turn_of IS NOT NULL);
CREATE INDEX appointments_by_type ON booking.appointments USING btree (event_type_id, start_ms) WHERE live;
CREATE INDEX appointments_by_user ON booking.appointments USING btree (user_id, start_ms);
CREATE INDEX appointments_of_pool ON booking.appointments USING btree (event_type_id, assigned_ms) WHERE (assigned_ms IS NOT NULL);
CREATE INDEX appointments_with_event ON booking.appointments USING btree (calendar_id, end_ms) WHERE (live AND (item_id IS NOT NULL));
CREATE INDEX appointments_without_link ON booking.appointments USING btree (end_ms) WHERE (live AND (join_url IS NULL) AND ((location ->> 'kind'::text) = ANY (ARRAY['google-meet'::text, 'teams'::text])));
CREATE UNIQUE INDEX appointments_of_group ON booking.appointments USING btree (event_type_id, start_ms, end_ms) WHERE (live AND (seats > 1));
comment on column booking.appointments.id is '@type AppointmentId';
comment on column booking.appointments.user_id is '@type UserId';
comment on column booking.appointments.event_type_id is '@type EventTypeId';
comment on column booking.appointments.calendar_id is '@type CalendarId';
comment on column booking.appointments.item_id is '@type ItemId';
comment on column booking.appointments.turn_of is '@type UserId';

create table booking.audit (
  id bigint generated always as identity not null,
  booking_id uuid not null,
  at_ms bigint not null,
  actor text not null,
  kind text not null,
  details jsonb default '{}'::jsonb not null,
  constraint audit_actor_check CHECK ((actor = ANY (ARRAY['guest'::text, 'host'::text, 'calendar'::text, 'system'::text]))),
  constraint audit_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking.bookings(id) ON DELETE CASCADE,
  constraint audit_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_by_booking ON booking.audit USING btree (booking_id, id);
comment on column booking.audit.booking_id is '@type BookingId';

create table booking.blocked_guests (
  user_id uuid not null,
  entries text[] not null,
  constraint blocked_guests_entries_check CHECK ((cardinality(entries) <= 500)),
  constraint blocked_guests_pkey PRIMARY KEY (user_id),
  constraint blocked_guests_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column booking.blocked_guests.user_id is '@type UserId';

create table booking.blocks (
  appointment_id uuid not null,
  host_id uuid not null,
  during int8range not null,
  expires_ms bigint,
  constraint blocks_appointment_id_fkey FOREIGN KEY (appointment_id) REFERENCES booking.appointments(id) ON DELETE CASCADE,
  constraint blocks_during_check CHECK ((NOT isempty(during))),
  constraint blocks_host_id_fkey FOREIGN KEY (host_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint blocks_never_overlap EXCLUDE USING gist (host_id WITH =, during WITH &&),
  constraint blocks_pkey PRIMARY KEY (appointment_id, host_id)
);
CREATE INDEX blocks_expiring ON booking.blocks USING btree (expires_ms) WHERE (expires_ms IS NOT NULL);
comment on column booking.blocks.appointment_id is '@type AppointmentId';
comment on column booking.blocks.host_id is '@type UserId';

create view booking.booked as
 SELECT b.id AS booking_id,
    a.user_id AS host_id,
    a.start_ms,
    a.end_ms
   FROM booking.bookings b
     JOIN booking.appointments a ON a.id = b.appointment_id
  WHERE a.live AND b.state = 'confirmed'::text;

create table booking.bookings (
  id uuid not null,
  uid text not null,
  appointment_id uuid not null,
  seat integer not null,
  user_id uuid not null,
  event_type_id uuid,
  link_id uuid,
  series_id uuid,
  state text not null,
  taken boolean generated always as ((state = ANY (ARRAY['held'::text, 'awaiting-mail'::text, 'pending'::text, 'confirmed'::text]))) stored not null,
  sequence integer default 0 not null,
  expires_ms bigint,
  token_hash bytea,
  token text,
  guest_name text,
  guest_email text,
  guest_phone text,
  guest_zone text,
  language text,
  answers jsonb default '{}'::jsonb not null,
  guests jsonb default '[]'::jsonb not null,
  verified boolean default false not null,
  mail_confirmed_ms bigint,
  reason text,
  ended_by text,
  guest_no_show boolean default false not null,
  host_no_show boolean default false not null,
  network bytea,
  created_ms bigint not null,
  confirmed_ms bigint,
  ended_ms bigint,
  guest_response text,
  told_without_link boolean default false not null,
  series_start_ms bigint,
  series_zone text,
  arranged_ms bigint,
  organizer text,
  told jsonb,
  reminded_start_ms bigint,
  reminded_minutes integer,
  cancellation jsonb default '{"text": "", "until_minutes": 0}'::jsonb not null,
  asked jsonb default '[]'::jsonb not null,
  series_left_out jsonb default '[]'::jsonb not null,
  constraint bookings_appointment_id_fkey FOREIGN KEY (appointment_id) REFERENCES booking.appointments(id) ON DELETE CASCADE,
  constraint bookings_check CHECK (((state = ANY (ARRAY['held'::text, 'awaiting-mail'::text])) = (expires_ms IS NOT NULL))),
  constraint bookings_check1 CHECK (((state = 'held'::text) OR ((guest_name IS NOT NULL) AND (guest_email IS NOT NULL) AND (token_hash IS NOT NULL)))),
  constraint bookings_check2 CHECK ((((series_id IS NULL) = (series_start_ms IS NULL)) AND ((series_id IS NULL) = (series_zone IS NULL)))),
  constraint bookings_ended_by_check CHECK ((ended_by = ANY (ARRAY['guest'::text, 'host'::text, 'calendar'::text, 'system'::text]))),
  constraint bookings_guest_response_check CHECK ((guest_response = ANY (ARRAY['accepted'::text, 'declined'::text, 'tentative'::text]))),
  constraint bookings_link_id_fkey FOREIGN KEY (link_id) REFERENCES booking.links(id) ON DELETE SET NULL,
  constraint bookings_pkey PRIMARY KEY (id),
  constraint bookings_seat_check CHECK ((seat >= 1)),
  constraint bookings_state_check CHECK ((state = ANY (ARRAY['held'::text, 'awaiting-mail'::text, 'pending'::text, 'confirmed'::text, 'declined'::text, 'cancelled'::text, 'expired'::text]))),
  constraint bookings_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX bookings_by_appointment ON booking.bookings USING btree (appointment_id);
CREATE INDEX bookings_by_email ON booking.bookings USING btree (guest_email, created_ms);
CREATE INDEX bookings_by_link ON booking.bookings USING btree (link_id) WHERE (link_id IS NOT NULL);
CREATE INDEX bookings_by_series ON booking.bookings USING btree (series_id) WHERE (series_id IS NOT NULL);
CREATE INDEX bookings_by_user ON booking.bookings USING btree (user_id, created_ms);
CREATE INDEX bookings_expiring ON booking.bookings USING btree (expires_ms) WHERE (expires_ms IS NOT NULL);
CREATE INDEX bookings_told_without_link ON booking.bookings USING btree (id) WHERE told_without_link;
CREATE INDEX bookings_unverified ON booking.bookings USING btree (appointment_id) WHERE ((state = 'confirmed'::text) AND (NOT verified));
CREATE INDEX holds_by_network ON booking.bookings USING btree (network) WHERE (network IS NOT NULL);
CREATE UNIQUE INDEX seats_taken_once ON booking.bookings USING btree (appointment_id, seat) WHERE taken;
comment on column booking.bookings.id is '@type BookingId';
comment on column booking.bookings.appointment_id is '@type AppointmentId';
comment on column booking.bookings.user_id is '@type UserId';
comment on column booking.bookings.event_type_id is '@type EventTypeId';
comment on column booking.bookings.link_id is '@type BookingLinkId';
comment on column booking.bookings.token is '@sealed';

create view booking.comers as
 SELECT COALESCE(h.item_id, h.appointment_id) AS key,
    h.host_id AS user_id,
    b.guest_name,
    b.guest_email
   FROM booking.hosted h
     JOIN booking.appointments a ON a.id = h.appointment_id
     JOIN booking.bookings b ON b.appointment_id = a.id
  WHERE a.live AND b.state = 'confirmed'::text;

create table booking.copies (
  appointment_id uuid not null,
  host_id uuid not null,
  calendar_id uuid,
  item_id uuid,
  says text default ''::text not null,
  writes integer default 0 not null,
  event_ref text,
  restores integer default 0 not null,
  start_ms bigint,
  end_ms bigint,
  constraint copies_appointment_id_fkey FOREIGN KEY (appointment_id) REFERENCES booking.appointments(id) ON DELETE CASCADE,
  constraint copies_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES connections.calendars(id) ON DELETE SET NULL,
  constraint copies_host_id_fkey FOREIGN KEY (host_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint copies_pkey PRIMARY KEY (appointment_id, host_id)
);
CREATE INDEX copies_by_calendar ON booking.copies USING btree (calendar_id) WHERE (item_id IS NOT NULL);
CREATE INDEX copies_by_host ON booking.copies USING btree (host_id);
CREATE INDEX copies_by_item ON booking.copies USING btree (item_id) WHERE (item_id IS NOT NULL);
comment on column booking.copies.appointment_id is '@type AppointmentId';
comment on column booking.copies.host_id is '@type UserId';
comment on column booking.copies.calendar_id is '@type CalendarId';
comment on column booking.copies.item_id is '@type ItemId';

create view booking.counted as
 SELECT b.id AS booking_id,
    h.id AS host_id,
    b.event_type_id,
    t.team_id,
        CASE
            WHEN h.id = a.user_id THEN a.calendar_id
            ELSE NULL::uuid
        END AS calendar_id,
    b.state,
    b.created_ms,
    a.start_ms,
    a.end_ms,
    b.ended_ms,
    b.confirmed_ms,
    b.guest_no_show,
    b.host_no_show,
    b.guest_zone
   FROM booking.bookings b
     JOIN booking.appointments a ON a.id = b.appointment_id
     JOIN accounts.users h ON h.id = ANY (a.host_ids)
     LEFT JOIN booking.event_types t ON t.id = b.event_type_id
  WHERE (b.state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'declined'::text, 'cancelled'::text, 'expired'::text])) AND (EXISTS ( SELECT
           FROM booking.audit n
          WHERE n.booking_id = b.id AND (n.kind = ANY (ARRAY['requested'::text, 'confirmed'::text]))));

create table booking.event_types (
  id uuid not null,
  user_id uuid,
  slug text not null,
  title text not null,
  description text default ''::text not null,
  kind text not null,
  position integer not null,
  hidden boolean default false not null,
  secret boolean default false not null,
  settings jsonb not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  team_id uuid,
  owner_id uuid generated always as (COALESCE(user_id, team_id)) stored,
  panel integer,
  former_slugs text[] default '{}'::text[] not null,
  constraint event_types_check CHECK ((num_nonnulls(user_id, team_id) = 1)),
  constraint event_types_former_slugs_check CHECK ((cardinality(former_slugs) <= 20)),
  constraint event_types_id_team_id_key UNIQUE (id, team_id),
  constraint event_types_kind_check CHECK ((kind = ANY (ARRAY['one-on-one'::text, 'group'::text, 'collective'::text, 'round-robin'::text]))),
  constraint event_types_pkey PRIMARY KEY (id),
  constraint event_types_slug_check CHECK (((slug ~ '^[a-z0-9](-?[a-z0-9])*$'::text) AND (length(slug) <= 64))),
  constraint event_types_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams.teams(id) ON DELETE CASCADE,
  constraint event_types_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX event_types_by_owner ON booking.event_types USING btree (owner_id, "position");
CREATE INDEX event_types_by_team ON booking.event_types USING btree (team_id) WHERE (team_id IS NOT NULL);
CREATE INDEX event_types_by_user ON booking.event_types USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX event_types_by_slug ON booking.event_types USING btree (owner_id, slug) WHERE (deleted_at IS NULL);
CREATE TRIGGER forget_types AFTER DELETE ON booking.event_types REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION booking.forget_types();
comment on column booking.event_types.id is '@type EventTypeId';
comment on column booking.event_types.user_id is '@type UserId';
comment on column booking.event_types.team_id is '@type TeamId';

create table booking.handles (
  look bytea not null,
  handle text,
  user_id uuid,
  free_at timestamp with time zone,
  taken_at timestamp with time zone default now() not null,
  team_id uuid,
  owner_id uuid generated always as (COALESCE(user_id, team_id)) stored,
  constraint handles_check CHECK ((num_nonnulls(user_id, team_id) <= 1)),
  constraint handles_check1 CHECK (((handle IS NULL) = (num_nonnulls(user_id, team_id) = 0))),
  constraint handles_check2 CHECK (((handle IS NOT NULL) OR (free_at IS NOT NULL))),
  constraint handles_handle_check CHECK (((handle ~ '^[a-z0-9](-?[a-z0-9])*$'::text) AND ((length(handle) >= 3) AND (length(handle) <= 40)))),
  constraint handles_handle_key UNIQUE (handle),
  constraint handles_look_check CHECK ((octet_length(look) = 32)),
  constraint handles_pkey PRIMARY KEY (look),
  constraint handles_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams.teams(id) ON DELETE SET NULL,
  constraint handles_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE SET NULL
);
CREATE INDEX handles_by_owner ON booking.handles USING btree (owner_id);
CREATE INDEX handles_by_team ON booking.handles USING btree (team_id);
CREATE INDEX handles_by_user ON booking.handles USING btree (user_id);
CREATE UNIQUE INDEX handles_in_use ON booking.handles USING btree (user_id) WHERE (free_at IS NULL);
CREATE UNIQUE INDEX handles_in_use_by_team ON booking.handles USING btree (team_id) WHERE (free_at IS NULL);
CREATE TRIGGER forget_handle BEFORE UPDATE ON booking.handles FOR EACH ROW WHEN (((new.user_id IS NULL) AND (new.team_id IS NULL))) EXECUTE FUNCTION booking.forget_handle();
comment on column booking.handles.user_id is '@type UserId';
comment on column booking.handles.team_id is '@type TeamId';

create view booking.hosted as
 SELECT appointments.id AS appointment_id,
    appointments.user_id AS host_id,
    appointments.calendar_id,
    appointments.item_id,
    appointments.event_ref,
    appointments.writes,
    appointments.restores,
    appointments.start_ms,
    appointments.end_ms
   FROM booking.appointments
UNION ALL
 SELECT c.appointment_id,
    c.host_id,
    c.calendar_id,
    c.item_id,
    c.event_ref,
    c.writes,
    c.restores,
    c.start_ms,
    c.end_ms
   FROM booking.copies c
     JOIN booking.appointments a ON a.id = c.appointment_id
  WHERE a.user_id <> c.host_id AND a.host_ids @> ARRAY[c.host_id];

create table booking.hosts (
  event_type_id uuid not null,
  team_id uuid not null,
  user_id uuid not null,
  position smallint not null,
  weight smallint not null,
  priority smallint not null,
  optional boolean not null,
  calibration double precision default 0 not null,
  since_ms bigint not null,
  constraint hosts_event_type_id_team_id_fkey FOREIGN KEY (event_type_id, team_id) REFERENCES booking.event_types(id, team_id) ON DELETE CASCADE,
  constraint hosts_pkey PRIMARY KEY (event_type_id, user_id),
  constraint hosts_priority_check CHECK (((priority >= 1) AND (priority <= 3))),
  constraint hosts_team_id_user_id_fkey FOREIGN KEY (team_id, user_id) REFERENCES teams.members(team_id, user_id) ON DELETE CASCADE,
  constraint hosts_weight_check CHECK (((weight >= 1) AND (weight <= 100)))
);
CREATE INDEX hosts_by_member ON booking.hosts USING btree (team_id, user_id);
comment on column booking.hosts.event_type_id is '@type EventTypeId';
comment on column booking.hosts.team_id is '@type TeamId';
comment on column booking.hosts.user_id is '@type UserId';

create view booking.ids as
 SELECT id
   FROM booking.bookings;

create table booking.lapsed_invitations (
  booking_id uuid not null,
  address text not null,
  informed boolean default false not null,
  constraint lapsed_invitations_address_check CHECK (((length(address) >= 3) AND (length(address) <= 320))),
  constraint lapsed_invitations_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking.bookings(id) ON DELETE CASCADE,
  constraint lapsed_invitations_pkey PRIMARY KEY (booking_id, address)
);

create table booking.left_events (
  user_id uuid not null,
  ref text not null,
  appointment_id uuid not null,
  constraint left_events_appointment_id_fkey FOREIGN KEY (appointment_id) REFERENCES booking.appointments(id) ON DELETE CASCADE,
  constraint left_events_pkey PRIMARY KEY (user_id, ref, appointment_id),
  constraint left_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX left_events_of_appointment ON booking.left_events USING btree (appointment_id);
comment on column booking.left_events.user_id is '@type UserId';
comment on column booking.left_events.appointment_id is '@type AppointmentId';

create table booking.links (
  id uuid not null,
  user_id uuid,
  event_type_id uuid not null,
  kind text not null,
  label text default ''::text not null,
  token_hash bytea not null,
  token text not null,
  connection_id uuid,
  calendar_id uuid,
  starts bigint[],
  duration_minutes integer,
  uses_left integer,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  host_ids uuid[],
  owner_first boolean default false not null,
  constraint links_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES connections.calendars(id) ON DELETE CASCADE,
  constraint links_check CHECK (((kind = 'account'::text) = (connection_id IS NOT NULL))),
  constraint links_check1 CHECK (((kind = 'calendar'::text) = (calendar_id IS NOT NULL))),
  constraint links_check2 CHECK (((kind = 'times'::text) = ((starts IS NOT NULL) AND (duration_minutes IS NOT NULL)))),
  constraint links_check3 CHECK (((kind = 'routed'::text) = (user_id IS NULL))),
  constraint links_check4 CHECK (((kind = 'routed'::text) OR ((host_ids IS NULL) AND (NOT owner_first)))),
  constraint links_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections.connections(id) ON DELETE CASCADE,
  constraint links_event_type_id_fkey FOREIGN KEY (event_type_id) REFERENCES booking.event_types(id) ON DELETE CASCADE,
  constraint links_kind_check CHECK ((kind = ANY (ARRAY['private'::text, 'account'::text, 'calendar'::text, 'times'::text, 'routed'::text]))),
  constraint links_pkey PRIMARY KEY (id),
  constraint links_token_hash_key UNIQUE (token_hash),
  constraint links_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint links_uses_left_check CHECK ((uses_left >= 0))
);
CREATE INDEX links_by_type ON booking.links USING btree (event_type_id);
CREATE INDEX links_by_user ON booking.links USING btree (user_id, created_at);
CREATE UNIQUE INDEX links_of_account ON booking.links USING btree (connection_id) WHERE (kind = 'account'::text);
CREATE UNIQUE INDEX links_of_calendar ON booking.links USING btree (calendar_id) WHERE (kind = 'calendar'::text);
comment on column booking.links.id is '@type BookingLinkId';
comment on column booking.links.user_id is '@type UserId';
comment on column booking.links.event_type_id is '@type EventTypeId';
comment on column booking.links.token is '@sealed';
comment on column booking.links.connection_id is '@type ConnectionId';
comment on column booking.links.calendar_id is '@type CalendarId';

create view booking.meetings as
 SELECT h.appointment_id,
    COALESCE(h.item_id, h.appointment_id) AS key,
    h.host_id AS user_id,
    h.calendar_id,
    h.item_id,
    a.start_ms,
    a.end_ms,
    a.title
   FROM booking.hosted h
     JOIN booking.appointments a ON a.id = h.appointment_id
  WHERE a.live AND (EXISTS ( SELECT
           FROM booking.bookings b
          WHERE b.appointment_id = a.id AND b.state = 'confirmed'::text));

create view booking.met as
 SELECT b.id AS booking_id,
    a.start_ms,
    a.end_ms,
    a.title,
    a.item_id,
    COALESCE(i.uid, a.item_id::text, a.id::text) AS key,
    a.user_id AS host_id
   FROM booking.bookings b
     JOIN booking.appointments a ON a.id = b.appointment_id
     LEFT JOIN calendar.items i ON i.id = a.item_id
  WHERE a.live AND b.state = 'confirmed'::text AND NOT b.guest_no_show AND NOT b.host_no_show;

create view booking.owned_types as
 SELECT id,
    user_id,
    team_id,
    title,
    "position",
    deleted_at IS NOT NULL AS gone
   FROM booking.event_types;

create view booking.prevented as
 SELECT p.host_id,
    p.item_id,
    p.rec_id,
    p.kind,
    p.event_type_id,
    t.team_id,
    p.calendar_id,
    p.start_ms,
    p.end_ms,
    p.at_ms
   FROM booking.preventions p
     LEFT JOIN booking.event_types t ON t.id = p.event_type_id;

create table booking.preventions (
  host_id uuid not null,
  item_id uuid not null,
  rec_id text not null,
  kind text not null,
  event_type_id uuid,
  calendar_id uuid not null,
  target_calendar_id uuid,
  start_ms bigint not null,
  end_ms bigint not null,
  at_ms bigint not null,
  constraint preventions_event_type_id_fkey FOREIGN KEY (event_type_id) REFERENCES booking.event_types(id) ON DELETE SET NULL,
  constraint preventions_host_id_fkey FOREIGN KEY (host_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint preventions_kind_check CHECK ((kind = ANY (ARRAY['rejected'::text, 'masked'::text]))),
  constraint preventions_pkey PRIMARY KEY (host_id, item_id, rec_id)
);
CREATE INDEX preventions_by_time ON booking.preventions USING btree (host_id, at_ms);
comment on column booking.preventions.host_id is '@type UserId';
comment on column booking.preventions.item_id is '@type ItemId';
comment on column booking.preventions.event_type_id is '@type EventTypeId';
comment on column booking.preventions.calendar_id is '@type CalendarId';
comment on column booking.preventions.target_calendar_id is '@type CalendarId';

create table booking.questions (
  id uuid not null,
  user_id uuid not null,
  appointment_id uuid not null,
  kind text not null,
  subject text default ''::text not null,
  start_ms bigint,
  end_ms bigint,
  calendar_id uuid,
  title text,
  asked_ms bigint not null,
  over_ms bigint,
  answer text,
  constraint questions_answer_check CHECK ((answer = ANY (ARRAY['follow'::text, 'restore'::text, 'cancel'::text, 'ask-guest'::text, 'ignore'::text]))),
  constraint questions_appointment_id_fkey FOREIGN KEY (appointment_id) REFERENCES booking.appointments(id) ON DELETE CASCADE,
  constraint questions_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES connections.calendars(id) ON DELETE CASCADE,
  constraint questions_check CHECK (((kind = ANY (ARRAY['conflict'::text, 'overbooked'::text])) = (subject <> ''::text))),
  constraint questions_check1 CHECK (((answer IS NULL) OR (over_ms IS NOT NULL))),
  constraint questions_kind_check CHECK ((kind = ANY (ARRAY['moved'::text, 'deleted'::text, 'declined'::text, 'conflict'::text, 'overbooked'::text]))),
  constraint questions_of_host UNIQUE (appointment_id, user_id, kind, subject),
  constraint questions_pkey PRIMARY KEY (id),
  constraint questions_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX questions_open ON booking.questions USING btree (user_id) WHERE (over_ms IS NULL);
comment on column booking.questions.user_id is '@type UserId';
comment on column booking.questions.appointment_id is '@type AppointmentId';
comment on column booking.questions.calendar_id is '@type CalendarId';

create view booking.routed as
 SELECT DISTINCT link_id
   FROM booking.bookings b
  WHERE link_id IS NOT NULL AND state <> 'held'::text;

create table booking.stand_ins (
  id uuid not null,
  team_id uuid not null,
  user_id uuid not null,
  to_user_id uuid not null,
  from_ms bigint not null,
  until_ms bigint not null,
  constraint stand_ins_check CHECK ((to_user_id <> user_id)),
  constraint stand_ins_check1 CHECK ((until_ms > from_ms)),
  constraint stand_ins_pkey PRIMARY KEY (id),
  constraint stand_ins_team_id_to_user_id_fkey FOREIGN KEY (team_id, to_user_id) REFERENCES teams.members(team_id, user_id) ON DELETE CASCADE,
  constraint stand_ins_team_id_user_id_fkey FOREIGN KEY (team_id, user_id) REFERENCES teams.members(team_id, user_id) ON DELETE CASCADE,
  constraint stand_ins_team_id_user_id_int8range_excl EXCLUDE USING gist (team_id WITH =, user_id WITH =, int8range(from_ms, until_ms) WITH &&)
);
CREATE INDEX stand_ins_by_colleague ON booking.stand_ins USING btree (team_id, to_user_id);
comment on column booking.stand_ins.team_id is '@type TeamId';
comment on column booking.stand_ins.user_id is '@type UserId';
comment on column booking.stand_ins.to_user_id is '@type UserId';

create view booking.told as
 SELECT b.id AS booking_id,
    a.title,
    b.guest_name,
    b.guest_email
   FROM booking.bookings b
     JOIN booking.appointments a ON a.id = b.appointment_id;

create table booking.waiting_updates (
  booking_id uuid not null,
  address text not null,
  holds jsonb not null,
  next_ms bigint not null,
  constraint waiting_updates_address_check CHECK (((length(address) >= 3) AND (length(address) <= 320))),
  constraint waiting_updates_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking.bookings(id) ON DELETE CASCADE,
  constraint waiting_updates_pkey PRIMARY KEY (booking_id, address)
);
CREATE INDEX waiting_updates_next_idx ON booking.waiting_updates USING btree (next_ms);

CREATE OR REPLACE FUNCTION booking.forget_handle()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.handle := null;
  new.free_at := greatest(new.free_at, now() + interval '90 days');
  return new;
end $function$;

CREATE OR REPLACE FUNCTION booking.forget_types()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update booking.bookings set event_type_id = null where event_type_id in (select id from gone);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION booking.hold_leaver()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into accounts.farewells (user_id)
  select new.id where exists (
    select from booking.bookings b where b.user_id = new.id and b.state in ('awaiting-mail', 'pending', 'confirmed'))
  on conflict do nothing;
  return null;
end $function$;

create schema calendar;

create view calendar.instances as
 SELECT s.user_id,
    s.calendar_id,
    s.item_id,
    s.rec_id,
    s.start_ms,
    s.end_ms,
    s.all_day,
    i.title,
    i.recurring
   FROM calendar.items i
     JOIN calendar.spans s ON s.item_id = i.id
  WHERE i.provenance = 'foreign'::text;

create table calendar.items (
  id uuid not null,
  calendar_id uuid not null,
  user_id uuid not null,
  ref text not null,
  uid text,
  version text not null,
  provenance text not null,
  body text not null,
  hash text not null,
  title text,
  starts_ms bigint,
  ends_ms bigint,
  recurring boolean default false not null,
  problem text,
  gone_at timestamp with time zone,
  updated_at timestamp with time zone default now() not null,
  constraint items_calendar_id_ref_key UNIQUE (calendar_id, ref),
  constraint items_pkey PRIMARY KEY (id),
  constraint items_provenance_check CHECK ((provenance = ANY (ARRAY['foreign'::text, 'own'::text])))
);
CREATE INDEX items_blocks ON calendar.items USING btree (calendar_id, starts_ms) WHERE ((provenance = 'own'::text) AND (NOT recurring) AND ((ends_ms - starts_ms) <= 93600000));
CREATE INDEX items_long_blocks ON calendar.items USING btree (calendar_id, starts_ms) WHERE ((provenance = 'own'::text) AND (NOT recurring) AND ((ends_ms - starts_ms) > 93600000));
CREATE INDEX items_recurring ON calendar.items USING btree (calendar_id) WHERE (recurring AND (gone_at IS NULL));
CREATE INDEX items_with_problem ON calendar.items USING btree (calendar_id) WHERE (problem IS NOT NULL);
CREATE TRIGGER drop_dependents AFTER DELETE ON calendar.items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION calendar.drop_dependents();
CREATE TRIGGER require_calendar AFTER INSERT ON calendar.items REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION calendar.require_calendar();
comment on column calendar.items.id is '@type ItemId';
comment on column calendar.items.calendar_id is '@type CalendarId';
comment on column calendar.items.user_id is '@type UserId';

create view calendar.meetings as
 SELECT s.user_id,
    s.calendar_id,
    s.item_id,
    s.rec_id,
    s.start_ms,
    s.end_ms,
    s.all_day,
    i.title,
    i.recurring
   FROM calendar.spans s
     LEFT JOIN calendar.items i ON i.id = s.item_id
  WHERE s.meeting;

create view calendar.met as
 SELECT s.user_id,
    s.item_id,
    s.rec_id,
    s.start_ms,
    s.end_ms,
    i.title,
    COALESCE(i.uid, i.id::text) AS key
   FROM calendar.spans s
     JOIN calendar.items i ON i.id = s.item_id
  WHERE s.meeting AND s.class <> 'ignore'::text AND i.provenance = 'foreign'::text AND i.gone_at IS NULL;

create table calendar.pending_spans (
  edit_id uuid not null,
  user_id uuid not null,
  calendar_id uuid not null,
  item_id uuid not null,
  rec_id text not null,
  start_ms bigint not null,
  end_ms bigint not null,
  all_day boolean not null,
  class text not null,
  rank smallint not null,
  title text,
  constraint pending_spans_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES connections.calendars(id) ON DELETE CASCADE,
  constraint pending_spans_class_check CHECK ((class = ANY (ARRAY['busy'::text, 'soft'::text]))),
  constraint pending_spans_edit_id_fkey FOREIGN KEY (edit_id) REFERENCES edits.edits(id) ON DELETE CASCADE,
  constraint pending_spans_rank_check CHECK (((rank >= 1) AND (rank <= 4))),
  constraint pending_spans_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX pending_spans_by_calendar ON calendar.pending_spans USING btree (calendar_id);
CREATE INDEX pending_spans_by_edit ON calendar.pending_spans USING btree (edit_id);
CREATE INDEX pending_spans_by_user ON calendar.pending_spans USING btree (user_id, start_ms);
comment on column calendar.pending_spans.edit_id is '@type EditId';
comment on column calendar.pending_spans.user_id is '@type UserId';
comment on column calendar.pending_spans.calendar_id is '@type CalendarId';
comment on column calendar.pending_spans.item_id is '@type ItemId';

create table calendar.published_feeds (
  id uuid not null,
  user_id uuid not null,
  content text not null,
  token_hash bytea not null,
  token text not null,
  created_at timestamp with time zone default now() not null,
  last_read_at timestamp with time zone,
  is_cut boolean default false not null,
  constraint published_feeds_content_check CHECK ((content = ANY (ARRAY['events'::text, 'busy'::text]))),
  constraint published_feeds_pkey PRIMARY KEY (id),
  constraint published_feeds_token_hash_key UNIQUE (token_hash),
  constraint published_feeds_user_id_content_key UNIQUE (user_id, content),
  constraint published_feeds_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column calendar.published_feeds.user_id is '@type UserId';
comment on column calendar.published_feeds.token is '@sealed';

create table calendar.spans (
  user_id uuid not null,
  calendar_id uuid not null,
  item_id uuid not null,
  rec_id text not null,
  start_ms bigint not null,
  end_ms bigint not null,
  all_day boolean not null,
  class text not null,
  rank smallint default 1 not null,
  meeting boolean default false not null,
  constraint spans_class_check CHECK ((class = ANY (ARRAY['busy'::text, 'soft'::text, 'free'::text, 'ignore'::text]))),
  constraint spans_rank_check CHECK (((rank >= 1) AND (rank <= 4)))
);
CREATE INDEX spans_by_item ON calendar.spans USING btree (item_id);
CREATE INDEX spans_long ON calendar.spans USING btree (user_id, end_ms) WHERE ((end_ms - start_ms) > 93600000);
CREATE INDEX spans_meetings ON calendar.spans USING btree (user_id, start_ms, end_ms) WHERE meeting;
CREATE INDEX spans_short ON calendar.spans USING btree (user_id, start_ms, end_ms) INCLUDE (calendar_id, class, rank) WHERE ((end_ms - start_ms) <= 93600000);
comment on column calendar.spans.user_id is '@type UserId';
comment on column calendar.spans.calendar_id is '@type CalendarId';
comment on column calendar.spans.item_id is '@type ItemId';

create view calendar.taken as
 SELECT user_id,
    calendar_id,
    start_ms,
    end_ms
   FROM calendar.spans s
  WHERE class = 'busy'::text AND NOT (EXISTS ( SELECT
           FROM connections.uncounted u
          WHERE u.id = s.calendar_id)) AND NOT (EXISTS ( SELECT
           FROM booking.appointments a
          WHERE a.item_id = s.item_id)) AND NOT (EXISTS ( SELECT
           FROM booking.copies p
          WHERE p.item_id = s.item_id));

create table calendar.unplanned (
  item_id uuid not null,
  user_id uuid not null,
  version integer default 1 not null,
  constraint unplanned_pkey PRIMARY KEY (item_id)
);
CREATE INDEX unplanned_by_user ON calendar.unplanned USING btree (user_id, item_id);
comment on column calendar.unplanned.item_id is '@type ItemId';
comment on column calendar.unplanned.user_id is '@type UserId';

create table calendar.zone_data (
  id boolean default true not null,
  version text not null,
  next_version text,
  done_to uuid,
  constraint zone_data_id_check CHECK (id),
  constraint zone_data_pkey PRIMARY KEY (id)
);
comment on column calendar.zone_data.done_to is '@type ItemId';

CREATE OR REPLACE FUNCTION calendar.drop_dependents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from calendar.spans where item_id in (select id from gone);
  delete from calendar.unplanned where item_id in (select id from gone);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION calendar.drop_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from calendar.items where calendar_id in (select id from gone);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION calendar.require_calendar()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  wanted uuid[] := (select array_agg(distinct calendar_id) from added);
  found_rows integer;
begin
  perform from connections.calendars where id = any(wanted) order by id for key share;
  get diagnostics found_rows = row_count;
  if found_rows < cardinality(wanted) then
    raise foreign_key_violation using message = 'an item needs its calendar', schema = 'calendar', table = 'items';
  end if;
  return null;
end $function$;

create schema connections;

create view connections.accounts as
 SELECT id,
    user_id,
    provider,
    profile,
    label,
    status
   FROM connections.connections
  WHERE status <> 'disconnecting'::text;

create table connections.calendars (
  id uuid not null,
  connection_id uuid not null,
  user_id uuid not null,
  ref text not null,
  name text not null,
  color text not null,
  zone text default 'UTC'::text not null,
  writable boolean not null,
  is_primary boolean default false not null,
  include_in_unified boolean default true not null,
  visible boolean default true not null,
  removed_at timestamp with time zone,
  last_synced_at timestamp with time zone,
  failures integer default 0 not null,
  error_code text,
  error_message text,
  created_at timestamp with time zone default now() not null,
  push_live boolean default false not null,
  write_error_code text,
  write_error_message text,
  conferences text[],
  leaves_at timestamp with time zone,
  warnings text[] default '{}'::text[] not null,
  zone_named boolean default true not null,
  constraint calendars_conferences_check CHECK ((conferences <@ ARRAY['google-meet'::text, 'teams'::text])),
  constraint calendars_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections.connections(id) ON DELETE CASCADE,
  constraint calendars_connection_id_ref_key UNIQUE (connection_id, ref),
  constraint calendars_leaves_check CHECK (((removed_at IS NULL) = (leaves_at IS NULL))),
  constraint calendars_pkey PRIMARY KEY (id),
  constraint calendars_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX calendars_by_user ON connections.calendars USING btree (user_id);
CREATE INDEX calendars_failing ON connections.calendars USING btree (failures DESC) WHERE (failures > 0);
CREATE TRIGGER drop_items AFTER DELETE ON connections.calendars REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION calendar.drop_items();
CREATE TRIGGER keep_targets AFTER DELETE ON connections.calendars REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION sync.keep_targets();
comment on column connections.calendars.id is '@type CalendarId';
comment on column connections.calendars.connection_id is '@type ConnectionId';
comment on column connections.calendars.user_id is '@type UserId';

create table connections.connections (
  id uuid not null,
  user_id uuid not null,
  provider text not null,
  profile text default 'generic'::text not null,
  label text not null,
  base_url text,
  username text,
  secret text,
  addresses text[] default '{}'::text[] not null,
  status text default 'active'::text not null,
  status_code text,
  status_message text,
  listed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  subject text,
  grant_no integer default 0 not null,
  suspended boolean default false not null,
  constraint connections_addresses_check CHECK ((cardinality(addresses) <= 100)),
  constraint connections_credential CHECK (((subject IS NOT NULL) OR ((base_url IS NOT NULL) AND (username IS NOT NULL) AND (secret IS NOT NULL)))),
  constraint connections_label_check CHECK ((length(label) <= 320)),
  constraint connections_pkey PRIMARY KEY (id),
  constraint connections_status_check CHECK ((status = ANY (ARRAY['active'::text, 'error'::text, 'needs-reconnect'::text, 'disconnecting'::text]))),
  constraint connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint connections_user_id_provider_base_url_username_key UNIQUE (user_id, provider, base_url, username),
  constraint connections_user_id_provider_profile_subject_key UNIQUE (user_id, provider, profile, subject)
);
comment on column connections.connections.id is '@type ConnectionId';
comment on column connections.connections.user_id is '@type UserId';
comment on column connections.connections.secret is '@sealed';

create table connections.install (
  only_one boolean default true not null,
  mirror_secret text not null,
  constraint install_only_one_check CHECK (only_one),
  constraint install_pkey PRIMARY KEY (only_one)
);
comment on column connections.install.mirror_secret is '@sealed';

create view connections.known as
 SELECT id,
    user_id
   FROM connections.calendars;

create table connections.revocations (
  id uuid not null,
  provider text not null,
  profile text not null,
  subject text not null,
  token text not null,
  constraint revocations_pkey PRIMARY KEY (id)
);
comment on column connections.revocations.token is '@sealed';

create view connections.states as
 SELECT k.id,
    k.user_id,
    k.name,
    k.include_in_unified,
    k.failures,
    k.push_live,
    (EXTRACT(epoch FROM k.last_synced_at) * 1000::numeric)::bigint AS last_synced_ms,
    c.provider,
    c.profile,
    c.label,
    c.status,
    k.created_at
   FROM connections.calendars k
     JOIN connections.connections c ON c.id = k.connection_id
  WHERE k.removed_at IS NULL AND c.status <> 'disconnecting'::text;

create table connections.tokens (
  connection_id uuid not null,
  revision bigint default 1 not null,
  refresh_token text not null,
  access_token text not null,
  access_expires_at timestamp with time zone not null,
  scopes text[] not null,
  lease uuid,
  lease_until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  refused_code text,
  refused_message text,
  constraint tokens_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections.connections(id) ON DELETE CASCADE,
  constraint tokens_pkey PRIMARY KEY (connection_id)
);
comment on column connections.tokens.connection_id is '@type ConnectionId';
comment on column connections.tokens.refresh_token is '@sealed';
comment on column connections.tokens.access_token is '@sealed';

create view connections.uncounted as
 SELECT id,
    user_id
   FROM connections.calendars
  WHERE NOT include_in_unified OR leaves_at < now();

create schema contacts;

create table contacts.attendances (
  item_id uuid not null,
  user_id uuid not null,
  address text not null,
  only_in text[],
  not_in text[] default '{}'::text[] not null,
  constraint attendances_item_id_fkey FOREIGN KEY (item_id) REFERENCES contacts.readings(item_id) ON DELETE CASCADE,
  constraint attendances_pkey PRIMARY KEY (item_id, address)
);
CREATE INDEX attendances_by_address ON contacts.attendances USING btree (user_id, address);
comment on column contacts.attendances.item_id is '@type ItemId';
comment on column contacts.attendances.user_id is '@type UserId';

create table contacts.contacts (
  id uuid not null,
  user_id uuid not null,
  person_id uuid not null,
  address text not null,
  address_key text not null,
  name text,
  name_key text,
  phone text,
  company text,
  tags text[] default '{}'::text[] not null,
  text text not null,
  source text not null,
  brought jsonb,
  met integer default 0 not null,
  last_ms bigint,
  next_ms bigint,
  due_ms bigint default 0,
  created_ms bigint not null,
  changed_ms bigint not null,
  deleted_ms bigint,
  bookings integer default 0 not null,
  constraint contacts_person_id_fkey FOREIGN KEY (person_id) REFERENCES contacts.contacts(id) DEFERRABLE INITIALLY DEFERRED,
  constraint contacts_pkey PRIMARY KEY (id),
  constraint contacts_source_check CHECK ((source = ANY (ARRAY['booking'::text, 'calendar'::text, 'hand'::text, 'import'::text]))),
  constraint contacts_user_id_address_key UNIQUE (user_id, address),
  constraint contacts_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX contacts_by_last ON contacts.contacts USING btree (user_id, COALESCE(last_ms, (0)::bigint), id) WHERE ((id = person_id) AND (deleted_ms IS NULL));
CREATE INDEX contacts_by_name ON contacts.contacts USING btree (user_id, name_key) WHERE (deleted_ms IS NULL);
CREATE INDEX contacts_by_person ON contacts.contacts USING btree (person_id);
CREATE INDEX contacts_by_variant ON contacts.contacts USING btree (user_id, address_key) WHERE (deleted_ms IS NULL);
CREATE INDEX contacts_by_words ON contacts.contacts USING gin (user_id, text gin_trgm_ops);
CREATE INDEX contacts_due ON contacts.contacts USING btree (user_id, due_ms) WHERE (id = person_id);
comment on column contacts.contacts.id is '@type ContactId';
comment on column contacts.contacts.user_id is '@type UserId';
comment on column contacts.contacts.person_id is '@type ContactId';

create table contacts.follow_ups (
  id uuid not null,
  user_id uuid not null,
  contact_id uuid not null,
  subject text not null,
  body text not null,
  at_ms bigint not null,
  constraint follow_ups_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES contacts.contacts(id) ON DELETE CASCADE,
  constraint follow_ups_pkey PRIMARY KEY (id),
  constraint follow_ups_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX follow_ups_by_contact ON contacts.follow_ups USING btree (contact_id, at_ms);
CREATE INDEX follow_ups_by_user ON contacts.follow_ups USING btree (user_id, at_ms);
comment on column contacts.follow_ups.user_id is '@type UserId';
comment on column contacts.follow_ups.contact_id is '@type ContactId';

create table contacts.guests (
  booking_id uuid not null,
  user_id uuid not null,
  address text not null,
  constraint guests_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking.bookings(id) ON DELETE CASCADE,
  constraint guests_pkey PRIMARY KEY (booking_id, user_id, address),
  constraint guests_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX guests_by_address ON contacts.guests USING btree (user_id, address);
comment on column contacts.guests.booking_id is '@type BookingId';
comment on column contacts.guests.user_id is '@type UserId';

create table contacts.held (
  user_id uuid not null,
  address text not null,
  key text not null,
  start_ms bigint not null,
  end_ms bigint not null,
  title text,
  constraint held_pkey PRIMARY KEY (user_id, address, key, start_ms),
  constraint held_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column contacts.held.user_id is '@type UserId';

create view contacts.meetings as
 SELECT a.user_id,
    a.address,
    m.key,
    m.start_ms,
    m.end_ms,
    m.title,
    m.item_id,
    m.rec_id,
    NULL::uuid AS booking_id
   FROM contacts.attendances a
     JOIN calendar.met m ON m.item_id = a.item_id
  WHERE (a.only_in IS NULL OR (m.rec_id = ANY (a.only_in))) AND (m.rec_id <> ALL (a.not_in))
UNION ALL
 SELECT g.user_id,
    g.address,
    m.key,
    m.start_ms,
    m.end_ms,
    m.title,
    m.item_id,
    ''::text AS rec_id,
    g.booking_id
   FROM contacts.guests g
     JOIN booking.met m ON m.booking_id = g.booking_id AND m.host_id = g.user_id
UNION ALL
 SELECT h.user_id,
    h.address,
    h.key,
    h.start_ms,
    h.end_ms,
    h.title,
    NULL::uuid AS item_id,
    ''::text AS rec_id,
    NULL::uuid AS booking_id
   FROM contacts.held h;

create table contacts.notes (
  id uuid not null,
  contact_id uuid not null,
  body text not null,
  at_ms bigint not null,
  deleted_ms bigint,
  constraint notes_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES contacts.contacts(id) ON DELETE CASCADE,
  constraint notes_pkey PRIMARY KEY (id)
);
CREATE INDEX notes_by_contact ON contacts.notes USING btree (contact_id, at_ms);
comment on column contacts.notes.id is '@type NoteId';
comment on column contacts.notes.contact_id is '@type ContactId';

create table contacts.owners (
  team_id uuid not null,
  address text not null,
  user_id uuid not null,
  constraint owners_pkey PRIMARY KEY (team_id, address),
  constraint owners_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams.teams(id) ON DELETE CASCADE,
  constraint owners_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX owners_by_user ON contacts.owners USING btree (user_id);
comment on column contacts.owners.team_id is '@type TeamId';
comment on column contacts.owners.user_id is '@type UserId';

create table contacts.readings (
  item_id uuid not null,
  calendar_id uuid not null,
  version text not null,
  constraint readings_item_id_fkey FOREIGN KEY (item_id) REFERENCES calendar.items(id) ON DELETE CASCADE,
  constraint readings_pkey PRIMARY KEY (item_id)
);
CREATE INDEX readings_by_calendar ON contacts.readings USING btree (calendar_id);
comment on column contacts.readings.item_id is '@type ItemId';
comment on column contacts.readings.calendar_id is '@type CalendarId';

create table contacts.strangers (
  one_id uuid not null,
  other_id uuid not null,
  constraint strangers_check CHECK ((one_id < other_id)),
  constraint strangers_one_id_fkey FOREIGN KEY (one_id) REFERENCES contacts.contacts(id) ON DELETE CASCADE,
  constraint strangers_other_id_fkey FOREIGN KEY (other_id) REFERENCES contacts.contacts(id) ON DELETE CASCADE,
  constraint strangers_pkey PRIMARY KEY (one_id, other_id)
);
CREATE INDEX strangers_by_other ON contacts.strangers USING btree (other_id);
comment on column contacts.strangers.one_id is '@type ContactId';
comment on column contacts.strangers.other_id is '@type ContactId';

create schema edits;

create table edits.edits (
  id uuid not null,
  seq bigint generated always as identity not null,
  user_id uuid not null,
  connection_id uuid not null,
  kind text not null,
  state text default 'pending'::text not null,
  calendar_id uuid not null,
  item_id uuid not null,
  item_ids uuid[] not null,
  title text not null,
  rec_id text default ''::text not null,
  rec_id_after text default ''::text not null,
  tell_guests boolean not null,
  steps text not null,
  step integer default 0 not null,
  claim integer default 0 not null,
  attempts integer default 0 not null,
  not_before_ms bigint default 0 not null,
  message text,
  theirs text,
  undone_by uuid,
  dismissed boolean default false not null,
  created_ms bigint not null,
  settled_ms bigint,
  insists boolean default false not null,
  refusal text,
  constraint edits_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections.connections(id) ON DELETE CASCADE,
  constraint edits_kind_check CHECK ((kind = ANY (ARRAY['create'::text, 'change'::text, 'delete'::text, 'answer'::text]))),
  constraint edits_pkey PRIMARY KEY (id),
  constraint edits_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text, 'conflict'::text, 'undone'::text]))),
  constraint edits_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX edits_by_user ON edits.edits USING btree (user_id, seq);
CREATE INDEX edits_due ON edits.edits USING btree (connection_id, seq) WHERE (state = 'pending'::text);
CREATE INDEX edits_settled ON edits.edits USING btree (settled_ms) WHERE (settled_ms IS NOT NULL);
comment on column edits.edits.id is '@type EditId';
comment on column edits.edits.user_id is '@type UserId';
comment on column edits.edits.connection_id is '@type ConnectionId';
comment on column edits.edits.calendar_id is '@type CalendarId';
comment on column edits.edits.item_id is '@type ItemId';
comment on column edits.edits.refusal is 'Error code of the provider; null where a retry may work';

create schema help;

create table help.first_steps (
  user_id uuid not null,
  copied_at timestamp with time zone,
  skipped_at timestamp with time zone,
  constraint first_steps_pkey PRIMARY KEY (user_id),
  constraint first_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column help.first_steps.user_id is '@type UserId';

create schema holds;

create table holds.audit (
  hold_id uuid not null,
  n integer not null,
  at_ms bigint not null,
  kind text not null,
  details jsonb default '{}'::jsonb not null,
  constraint audit_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES holds.holds(id) ON DELETE CASCADE,
  constraint audit_kind_check CHECK ((kind = ANY (ARRAY['made'::text, 'changed'::text, 'moved'::text, 'shrunk'::text, 'gave-way'::text, 'returned'::text, 'released'::text, 'removed'::text, 'restored'::text, 'followed'::text]))),
  constraint audit_pkey PRIMARY KEY (hold_id, n)
);
comment on column holds.audit.hold_id is '@type HoldId';

create table holds.holds (
  id uuid not null,
  user_id uuid not null,
  calendar_id uuid not null,
  title text not null,
  rank smallint not null,
  range jsonb not null,
  expires_ms bigint,
  harden_ms bigint,
  home_start_ms bigint not null,
  home_end_ms bigint not null,
  start_ms bigint,
  end_ms bigint,
  state text not null,
  version integer default 1 not null,
  item_id uuid,
  seen boolean default false not null,
  writes integer default 0 not null,
  created_ms bigint not null,
  ended_ms bigint,
  constraint holds_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES connections.calendars(id) ON DELETE CASCADE,
  constraint holds_check CHECK ((home_end_ms > home_start_ms)),
  constraint holds_check1 CHECK ((end_ms > start_ms)),
  constraint holds_check2 CHECK ((((start_ms IS NULL) = (end_ms IS NULL)) AND ((start_ms IS NULL) = (state = 'gave-way'::text)))),
  constraint holds_harden_ms_check CHECK ((harden_ms > 0)),
  constraint holds_pkey PRIMARY KEY (id),
  constraint holds_rank_check CHECK (((rank >= 1) AND (rank <= 4))),
  constraint holds_state_check CHECK ((state = ANY (ARRAY['held'::text, 'gave-way'::text, 'released'::text, 'removed'::text]))),
  constraint holds_title_check CHECK (((length(title) >= 1) AND (length(title) <= 1000))),
  constraint holds_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX holds_by_calendar ON holds.holds USING btree (calendar_id) WHERE (state = 'held'::text);
CREATE INDEX holds_by_user ON holds.holds USING btree (user_id, home_end_ms);
CREATE INDEX holds_to_release ON holds.holds USING btree (expires_ms) WHERE (state = ANY (ARRAY['held'::text, 'gave-way'::text]));
CREATE UNIQUE INDEX holds_by_item ON holds.holds USING btree (item_id);
comment on column holds.holds.id is '@type HoldId';
comment on column holds.holds.user_id is '@type UserId';
comment on column holds.holds.calendar_id is '@type CalendarId';
comment on column holds.holds.item_id is '@type ItemId';

create schema inbox;

create table inbox.devices (
  id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  slot integer not null,
  subscription text not null,
  endpoint_hash bytea not null,
  host text not null,
  user_agent text,
  refusals integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  looked_at timestamp with time zone default now() not null,
  constraint devices_endpoint_hash_key UNIQUE (endpoint_hash),
  constraint devices_pkey PRIMARY KEY (id),
  constraint devices_session_id_fkey FOREIGN KEY (session_id) REFERENCES accounts.sessions(id) ON DELETE CASCADE,
  constraint devices_session_id_key UNIQUE (session_id),
  constraint devices_slot_check CHECK (((slot >= 1) AND (slot <= 10))),
  constraint devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint devices_user_id_slot_key UNIQUE (user_id, slot)
);
CREATE INDEX devices_to_look_for ON inbox.devices USING btree (looked_at);
comment on table inbox.devices is '@momentary';
comment on column inbox.devices.user_id is '@type UserId';
comment on column inbox.devices.session_id is '@type SessionId';
comment on column inbox.devices.subscription is '@sealed';

create table inbox.notices (
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  subject text not null,
  details jsonb not null,
  at timestamp with time zone default now() not null,
  read_at timestamp with time zone,
  over_at timestamp with time zone,
  constraint notices_kind_check CHECK ((kind = ANY (ARRAY['reconnect'::text, 'stopped'::text, 'calendar'::text, 'breaker'::text, 'mirrors'::text, 'conflict'::text, 'edit'::text, 'booking-moved'::text, 'booking-deleted'::text, 'booking-declined'::text, 'booking-conflict'::text, 'booking-overbooked'::text, 'stale'::text, 'requested'::text, 'booked'::text, 'cancelled'::text, 'invitation'::text, 'panel'::text]))),
  constraint notices_pkey PRIMARY KEY (id),
  constraint notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint notices_user_id_kind_subject_key UNIQUE (user_id, kind, subject)
);
CREATE INDEX notices_by_time ON inbox.notices USING btree (user_id, at DESC);
comment on column inbox.notices.user_id is '@type UserId';

create table inbox.push_key (
  id boolean default true not null,
  public_key text not null,
  private_key text not null,
  constraint push_key_id_check CHECK (id),
  constraint push_key_pkey PRIMARY KEY (id)
);
comment on column inbox.push_key.private_key is '@sealed';

create table inbox.pushes (
  id uuid not null,
  device_id uuid not null,
  notice_id uuid not null,
  notice_at timestamp with time zone not null,
  state text default 'queued'::text not null,
  attempts integer default 0 not null,
  error text,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint pushes_device_id_fkey FOREIGN KEY (device_id) REFERENCES inbox.devices(id) ON DELETE CASCADE,
  constraint pushes_device_id_notice_id_notice_at_key UNIQUE (device_id, notice_id, notice_at),
  constraint pushes_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES inbox.notices(id) ON DELETE CASCADE,
  constraint pushes_pkey PRIMARY KEY (id),
  constraint pushes_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text])))
);
CREATE INDEX pushes_by_time ON inbox.pushes USING btree (created_at);
CREATE INDEX pushes_of_notices ON inbox.pushes USING btree (notice_id);
comment on table inbox.pushes is '@momentary';

create schema platform;

create table platform.backups (
  id uuid not null,
  taken_at timestamp with time zone not null,
  file text not null,
  bytes bigint not null,
  constraint backups_pkey PRIMARY KEY (id)
);
CREATE INDEX backups_by_time ON platform.backups USING btree (taken_at);
comment on table platform.backups is '@momentary';

create table platform.brand (
  only_one boolean default true not null,
  version integer default 0 not null,
  name text,
  color text,
  logo text,
  dark_logo text,
  constraint brand_color_check CHECK ((color ~ '^#[0-9a-f]{6}$'::text)),
  constraint brand_dark_logo_fkey FOREIGN KEY (dark_logo) REFERENCES platform.brand_pictures(file),
  constraint brand_logo_fkey FOREIGN KEY (logo) REFERENCES platform.brand_pictures(file),
  constraint brand_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
  constraint brand_only_one_check CHECK (only_one),
  constraint brand_pkey PRIMARY KEY (only_one)
);

create table platform.brand_pictures (
  file text not null,
  width integer not null,
  height integer not null,
  logo bytea not null,
  icon bytea not null,
  used_at timestamp with time zone default now() not null,
  constraint brand_pictures_file_check CHECK ((file ~ '^[a-z0-9]{32}$'::text)),
  constraint brand_pictures_height_check CHECK (((height >= 1) AND (height <= 96))),
  constraint brand_pictures_icon_check CHECK ((octet_length(icon) <= 1048576)),
  constraint brand_pictures_logo_check CHECK ((octet_length(logo) <= 262144)),
  constraint brand_pictures_pkey PRIMARY KEY (file),
  constraint brand_pictures_width_check CHECK (((width >= 1) AND (width <= 480)))
);

create table platform.errors (
  fingerprint text not null,
  severity text not null,
  told text not null,
  place text,
  cause text not null,
  count bigint not null,
  request_ids text[] not null,
  first_at timestamp with time zone default now() not null,
  last_at timestamp with time zone default now() not null,
  constraint errors_pkey PRIMARY KEY (fingerprint),
  constraint errors_severity_check CHECK ((severity = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
);
CREATE INDEX errors_by_age ON platform.errors USING btree (last_at);

create table platform.feed (
  id bigint generated always as identity not null,
  user_id uuid not null,
  topic text not null,
  payload jsonb default '{}'::jsonb not null,
  at timestamp with time zone default now() not null,
  constraint feed_pkey PRIMARY KEY (id)
);
CREATE INDEX feed_by_age ON platform.feed USING btree (at);
CREATE INDEX feed_by_user ON platform.feed USING btree (user_id, id);
comment on table platform.feed is '@momentary';
comment on column platform.feed.user_id is '@type UserId';

create table platform.limits (
  key bytea not null,
  full_at timestamp with time zone not null,
  constraint limits_pkey PRIMARY KEY (key)
);
CREATE INDEX limits_by_end ON platform.limits USING btree (full_at);
comment on table platform.limits is '@momentary';

create table platform.mails (
  id uuid not null,
  key text not null,
  message_id text not null,
  kind text not null,
  recipient text not null,
  user_id uuid,
  body text,
  state text default 'queued'::text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  error text,
  created_at timestamp with time zone default now() not null,
  settled_at timestamp with time zone,
  forget boolean default false not null,
  batch uuid,
  not_before timestamp with time zone,
  about text[],
  constraint mails_check CHECK (((state <> ALL (ARRAY['queued'::text, 'sending'::text])) OR ((body IS NOT NULL) AND (settled_at IS NULL)))),
  constraint mails_check1 CHECK (((state = ANY (ARRAY['queued'::text, 'sending'::text])) OR (settled_at IS NOT NULL))),
  constraint mails_key_key UNIQUE (key),
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'bounced'::text])))
);
CREATE INDEX mails_by_batch ON platform.mails USING btree (batch) WHERE ((state = ANY (ARRAY['queued'::text, 'sending'::text])) AND (batch IS NOT NULL));
CREATE INDEX mails_by_end ON platform.mails USING btree (settled_at);
CREATE INDEX mails_by_refused_reader ON platform.mails USING btree (recipient) WHERE (state = ANY (ARRAY['failed'::text, 'bounced'::text]));
CREATE INDEX mails_by_turn ON platform.mails USING btree (next_attempt_at) WHERE (state = ANY (ARRAY['queued'::text, 'sending'::text]));
CREATE INDEX mails_by_user ON platform.mails USING btree (user_id, created_at) WHERE (user_id IS NOT NULL);
CREATE INDEX mails_waiting_by_recipient ON platform.mails USING btree (recipient) WHERE (state = ANY (ARRAY['queued'::text, 'sending'::text]));
CREATE TRIGGER forget_mail AFTER UPDATE ON platform.mails FOR EACH ROW WHEN ((new.forget AND (new.settled_at IS NOT NULL))) EXECUTE FUNCTION platform.forget_mail();
comment on column platform.mails.user_id is '@type UserId';
comment on column platform.mails.body is '@sealed';

create table platform.maintenance (
  id boolean default true not null,
  message text not null,
  begun_at timestamp with time zone default now() not null,
  constraint maintenance_id_check CHECK (id),
  constraint maintenance_message_check CHECK (((length(message) >= 1) AND (length(message) <= 500))),
  constraint maintenance_pkey PRIMARY KEY (id)
);
comment on table platform.maintenance is '@momentary';

create table platform.recipients (
  id uuid default gen_random_uuid() not null,
  mailbox text not null,
  mails integer not null,
  since timestamp with time zone default clock_timestamp() not null,
  stopped_at timestamp with time zone,
  senders jsonb default '{}'::jsonb not null,
  constraint recipients_mailbox_check CHECK (((length(mailbox) >= 3) AND (length(mailbox) <= 320))),
  constraint recipients_mailbox_key UNIQUE (mailbox),
  constraint recipients_mails_check CHECK ((mails >= 0)),
  constraint recipients_pkey PRIMARY KEY (id)
);
CREATE INDEX recipients_by_age ON platform.recipients USING btree (since) WHERE (stopped_at IS NULL);

create table platform.restored_jobs (
  id uuid not null,
  name text not null,
  payload jsonb,
  key text,
  priority integer not null,
  start_after timestamp with time zone not null,
  constraint restored_jobs_pkey PRIMARY KEY (id)
);
comment on table platform.restored_jobs is '@momentary';

create table platform.restores (
  id uuid not null,
  taken_at timestamp with time zone not null,
  restored_at timestamp with time zone default now() not null,
  sends_waiting boolean not null,
  settled_at timestamp with time zone,
  constraint restores_pkey PRIMARY KEY (id)
);
comment on table platform.restores is '@momentary';

create table platform.spent (
  hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint spent_pkey PRIMARY KEY (hash)
);

CREATE OR REPLACE FUNCTION platform.forget_mail()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from platform.mails where id = new.id;
  return null;
end $function$;

create schema routing;

create table routing.deeds (
  submission_id uuid not null,
  sequence integer not null,
  at_ms bigint not null,
  actor_id uuid,
  kind text not null,
  was text not null,
  became text not null,
  constraint deeds_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES accounts.users(id) ON DELETE SET NULL,
  constraint deeds_kind_check CHECK ((kind = ANY (ARRAY['rerouted'::text, 'reassigned'::text]))),
  constraint deeds_pkey PRIMARY KEY (submission_id, sequence),
  constraint deeds_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES routing.submissions(id) ON DELETE CASCADE
);
CREATE INDEX deeds_by_actor ON routing.deeds USING btree (actor_id) WHERE (actor_id IS NOT NULL);
comment on column routing.deeds.submission_id is '@type SubmissionId';
comment on column routing.deeds.actor_id is '@type UserId';

create table routing.forms (
  id uuid not null,
  user_id uuid,
  team_id uuid,
  owner_id uuid generated always as (COALESCE(user_id, team_id)) stored,
  name text not null,
  description text not null,
  slug text not null,
  active boolean not null,
  revision integer default 1 not null,
  definition jsonb not null,
  created_ms bigint not null,
  changed_ms bigint not null,
  deleted_ms bigint,
  former_slugs text[] default '{}'::text[] not null,
  constraint forms_check CHECK ((num_nonnulls(user_id, team_id) = 1)),
  constraint forms_former_slugs_check CHECK ((cardinality(former_slugs) <= 20)),
  constraint forms_pkey PRIMARY KEY (id),
  constraint forms_slug_check CHECK (((slug ~ '^[a-z0-9](-?[a-z0-9])*$'::text) AND (length(slug) <= 64))),
  constraint forms_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams.teams(id) ON DELETE CASCADE,
  constraint forms_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX forms_by_team ON routing.forms USING btree (team_id) WHERE (team_id IS NOT NULL);
CREATE INDEX forms_by_user ON routing.forms USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX forms_by_slug ON routing.forms USING btree (owner_id, slug) WHERE (deleted_ms IS NULL);
comment on column routing.forms.id is '@type FormId';
comment on column routing.forms.user_id is '@type UserId';
comment on column routing.forms.team_id is '@type TeamId';

create table routing.submissions (
  id uuid not null,
  form_id uuid not null,
  revision integer not null,
  attempt text not null,
  name text,
  email text,
  phone text,
  answers jsonb not null,
  said jsonb not null,
  decision jsonb not null,
  link_id uuid,
  sequence integer default 0 not null,
  created_ms bigint not null,
  constraint submissions_form_id_attempt_key UNIQUE (form_id, attempt),
  constraint submissions_form_id_fkey FOREIGN KEY (form_id) REFERENCES routing.forms(id) ON DELETE CASCADE,
  constraint submissions_link_id_fkey FOREIGN KEY (link_id) REFERENCES booking.links(id) ON DELETE SET NULL,
  constraint submissions_pkey PRIMARY KEY (id)
);
CREATE INDEX submissions_by_age ON routing.submissions USING btree (created_ms);
CREATE INDEX submissions_by_form ON routing.submissions USING btree (form_id, created_ms);
CREATE INDEX submissions_by_link ON routing.submissions USING btree (link_id) WHERE (link_id IS NOT NULL);
comment on column routing.submissions.id is '@type SubmissionId';
comment on column routing.submissions.form_id is '@type FormId';
comment on column routing.submissions.link_id is '@type BookingLinkId';

create schema search;

create table search.attendances (
  item_id uuid not null,
  user_id uuid not null,
  email text not null,
  constraint attendances_item_id_fkey FOREIGN KEY (item_id) REFERENCES search.documents(item_id) ON DELETE CASCADE,
  constraint attendances_pkey PRIMARY KEY (item_id, email)
);
CREATE INDEX attendances_by_person ON search.attendances USING btree (user_id, email);
comment on column search.attendances.item_id is '@type ItemId';
comment on column search.attendances.user_id is '@type UserId';

create table search.documents (
  item_id uuid not null,
  user_id uuid not null,
  version text not null,
  text text not null,
  meeting boolean not null,
  starts_ms bigint,
  ends_ms bigint,
  constraint documents_item_id_fkey FOREIGN KEY (item_id) REFERENCES calendar.items(id) ON DELETE CASCADE,
  constraint documents_pkey PRIMARY KEY (item_id)
);
CREATE INDEX documents_by_words ON search.documents USING gin (user_id, text gin_trgm_ops);
comment on column search.documents.item_id is '@type ItemId';
comment on column search.documents.user_id is '@type UserId';

create view search.event_people as
 SELECT user_id,
    item_id,
    email
   FROM search.attendances;

create view search.event_words as
 SELECT user_id,
    item_id,
    text
   FROM search.documents;

create table search.people (
  user_id uuid not null,
  email text not null,
  name text,
  text text not null,
  constraint people_pkey PRIMARY KEY (user_id, email),
  constraint people_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column search.people.user_id is '@type UserId';

create table search.readings (
  calendar_id uuid not null,
  seen_at timestamp with time zone not null,
  constraint readings_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES connections.calendars(id) ON DELETE CASCADE,
  constraint readings_pkey PRIMARY KEY (calendar_id)
);
comment on column search.readings.calendar_id is '@type CalendarId';

create schema site;

create table site.subscribers (
  id uuid not null,
  email citext not null,
  token_hash bytea,
  asked_at timestamp with time zone default now() not null,
  confirmed_at timestamp with time zone,
  constraint subscribers_check CHECK (((token_hash IS NULL) OR (confirmed_at IS NULL))),
  constraint subscribers_email_key UNIQUE (email),
  constraint subscribers_pkey PRIMARY KEY (id),
  constraint subscribers_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX subscribers_waiting ON site.subscribers USING btree (asked_at) WHERE (confirmed_at IS NULL);

create schema sync;

create table sync.audit (
  id bigint generated always as identity not null,
  user_id uuid not null,
  mirror_id uuid,
  origin_item_id uuid,
  at timestamp with time zone default now() not null,
  type text not null,
  actor text not null,
  status text not null,
  message text not null,
  duration_ms integer,
  error_code text,
  request_id text,
  before_hash text,
  after_hash text,
  constraint audit_actor_check CHECK ((actor = ANY (ARRAY['user'::text, 'webhook'::text, 'poll'::text, 'sweep'::text]))),
  constraint audit_pkey PRIMARY KEY (id),
  constraint audit_status_check CHECK ((status = ANY (ARRAY['success'::text, 'error'::text, 'pending'::text])))
);
CREATE INDEX audit_by_age ON sync.audit USING brin (at);
CREATE INDEX audit_by_mirror ON sync.audit USING btree (mirror_id, id DESC);
CREATE INDEX audit_by_origin ON sync.audit USING btree (origin_item_id, id DESC);
comment on column sync.audit.user_id is '@type UserId';
comment on column sync.audit.mirror_id is '@type MirrorId';
comment on column sync.audit.origin_item_id is '@type ItemId';

create view sync.blocks as
 SELECT id,
    user_id,
    origin_item_id,
    rec_id,
    target_calendar_id,
    state,
    (EXTRACT(epoch FROM verified_at) * 1000::numeric)::bigint AS verified_ms,
    (EXTRACT(epoch FROM updated_at) * 1000::numeric)::bigint AS updated_ms
   FROM sync.mirrors;

create table sync.call_sums (
  provider text not null,
  profile text not null,
  hour timestamp with time zone not null,
  share smallint not null,
  answered bigint default 0 not null,
  auth bigint default 0 not null,
  limited bigint default 0 not null,
  refused bigint default 0 not null,
  silent bigint default 0 not null,
  latency bigint[] default array_fill((0)::bigint, ARRAY[11]) not null,
  last_at timestamp with time zone default now() not null,
  constraint call_sums_pkey PRIMARY KEY (provider, profile, hour, share)
);

create table sync.channels (
  id uuid not null,
  calendar_id uuid not null,
  connection_id uuid not null,
  state text not null,
  secret_hash bytea not null,
  ref text,
  resource text,
  opened_at timestamp with time zone not null,
  renew_at timestamp with time zone,
  expires_at timestamp with time zone,
  noticed_at timestamp with time zone,
  constraint channels_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES connections.calendars(id) ON DELETE CASCADE,
  constraint channels_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections.connections(id) ON DELETE CASCADE,
  constraint channels_pkey PRIMARY KEY (id),
  constraint channels_state_check CHECK ((state = ANY (ARRAY['opening'::text, 'live'::text, 'closing'::text])))
);
CREATE INDEX channels_by_calendar ON sync.channels USING btree (calendar_id);
CREATE INDEX channels_by_connection ON sync.channels USING btree (connection_id);
comment on column sync.channels.id is '@type ChannelId';
comment on column sync.channels.calendar_id is '@type CalendarId';
comment on column sync.channels.connection_id is '@type ConnectionId';

create table sync.fences (
  connection_id uuid not null,
  token bigint default 0 not null,
  not_before timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  failures integer default 0 not null,
  constraint fences_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections.connections(id) ON DELETE CASCADE,
  constraint fences_pkey PRIMARY KEY (connection_id)
);
comment on column sync.fences.connection_id is '@type ConnectionId';

create table sync.groups (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  enabled boolean default true not null,
  rule jsonb default '{}'::jsonb not null,
  revision integer default 1 not null,
  window_day date,
  created_at timestamp with time zone default now() not null,
  constraint groups_pkey PRIMARY KEY (id),
  constraint groups_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX groups_by_user ON sync.groups USING btree (user_id);
comment on column sync.groups.id is '@type GroupId';
comment on column sync.groups.user_id is '@type UserId';

create table sync.members (
  calendar_id uuid not null,
  group_id uuid not null,
  is_source boolean default true not null,
  is_target boolean default true not null,
  constraint members_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES connections.calendars(id) ON DELETE CASCADE,
  constraint members_group_id_fkey FOREIGN KEY (group_id) REFERENCES sync.groups(id) ON DELETE CASCADE,
  constraint members_pkey PRIMARY KEY (calendar_id)
);
CREATE INDEX members_by_group ON sync.members USING btree (group_id);
comment on column sync.members.calendar_id is '@type CalendarId';
comment on column sync.members.group_id is '@type GroupId';

create table sync.mirrors (
  id uuid not null,
  user_id uuid not null,
  origin_calendar_id uuid not null,
  origin_item_id uuid not null,
  origin_uid text not null,
  rec_id text default ''::text not null,
  target_calendar_id uuid not null,
  target_connection_id uuid not null,
  identity_key text not null,
  generation integer default 1 not null,
  state text not null,
  reason text,
  desired text,
  desired_hash text,
  near_ms bigint default 0 not null,
  ref text,
  version text,
  applied_hash text,
  applied_at timestamp with time zone,
  verified_at timestamp with time zone,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  error_code text,
  error_message text,
  seen text,
  user_deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  waits boolean default false not null,
  restored smallint default 0 not null,
  restored_at timestamp with time zone,
  removal_tried boolean default false not null,
  constraint mirrors_origin_calendar_id_origin_uid_target_calendar_id_re_key UNIQUE (origin_calendar_id, origin_uid, target_calendar_id, rec_id),
  constraint mirrors_pkey PRIMARY KEY (id),
  constraint mirrors_seen_check CHECK ((seen = ANY (ARRAY['changed'::text, 'gone'::text]))),
  constraint mirrors_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'created'::text, 'failed'::text, 'deleting'::text, 'skipped'::text])))
);
CREATE INDEX mirrors_by_origin ON sync.mirrors USING btree (user_id, origin_item_id);
CREATE INDEX mirrors_by_target_ref ON sync.mirrors USING btree (target_calendar_id, ref) WHERE (ref IS NOT NULL);
CREATE INDEX mirrors_due ON sync.mirrors USING btree (target_connection_id, near_ms, id) WHERE (state = ANY (ARRAY['pending'::text, 'deleting'::text]));
CREATE INDEX mirrors_failed ON sync.mirrors USING btree (target_connection_id) WHERE (state = 'failed'::text);
CREATE TRIGGER require_target AFTER INSERT ON sync.mirrors REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sync.require_target();
comment on column sync.mirrors.id is '@type MirrorId';
comment on column sync.mirrors.user_id is '@type UserId';
comment on column sync.mirrors.origin_calendar_id is '@type CalendarId';
comment on column sync.mirrors.origin_item_id is '@type ItemId';
comment on column sync.mirrors.target_calendar_id is '@type CalendarId';
comment on column sync.mirrors.target_connection_id is '@type ConnectionId';

create table sync.pairs (
  group_id uuid not null,
  source_calendar_id uuid not null,
  target_calendar_id uuid not null,
  enabled boolean default true not null,
  rule jsonb default '{}'::jsonb not null,
  breaker text default 'closed'::text not null,
  breaker_at timestamp with time zone,
  breaker_deletes integer,
  constraint pairs_breaker_check CHECK ((breaker = ANY (ARRAY['closed'::text, 'waiting'::text, 'open'::text, 'allowed'::text, 'keeping'::text]))),
  constraint pairs_group_id_fkey FOREIGN KEY (group_id) REFERENCES sync.groups(id) ON DELETE CASCADE,
  constraint pairs_pkey PRIMARY KEY (source_calendar_id, target_calendar_id),
  constraint pairs_source_calendar_id_fkey FOREIGN KEY (source_calendar_id) REFERENCES connections.calendars(id) ON DELETE CASCADE,
  constraint pairs_target_calendar_id_fkey FOREIGN KEY (target_calendar_id) REFERENCES connections.calendars(id) ON DELETE CASCADE
);
comment on column sync.pairs.group_id is '@type GroupId';
comment on column sync.pairs.source_calendar_id is '@type CalendarId';
comment on column sync.pairs.target_calendar_id is '@type CalendarId';

create view sync.polls as
 SELECT user_id,
    poll_seconds
   FROM sync.settings;

create table sync.pulls (
  calendar_id uuid not null,
  user_id uuid not null,
  connection_id uuid not null,
  cursor text,
  next_pull_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  last_listing_at timestamp with time zone,
  last_changed_at timestamp with time zone,
  want_listing boolean default true not null,
  suspect boolean default false not null,
  failures integer default 0 not null,
  not_before timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  pulled_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  push_after timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  routine boolean default false not null,
  constraint pulls_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES connections.calendars(id) ON DELETE CASCADE,
  constraint pulls_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections.connections(id) ON DELETE CASCADE,
  constraint pulls_pkey PRIMARY KEY (calendar_id),
  constraint pulls_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX pulls_due ON sync.pulls USING btree (next_pull_at);
comment on column sync.pulls.calendar_id is '@type CalendarId';
comment on column sync.pulls.user_id is '@type UserId';
comment on column sync.pulls.connection_id is '@type ConnectionId';

create table sync.settings (
  user_id uuid not null,
  past_days integer,
  future_days integer,
  poll_seconds integer,
  on_stale text default 'warn'::text not null,
  stale_after_minutes integer default 30 not null,
  constraint settings_future_days_check CHECK (((future_days >= 1) AND (future_days <= 730))),
  constraint settings_on_stale_check CHECK ((on_stale = ANY (ARRAY['block'::text, 'warn'::text, 'ignore'::text]))),
  constraint settings_past_days_check CHECK (((past_days >= 0) AND (past_days <= 365))),
  constraint settings_pkey PRIMARY KEY (user_id),
  constraint settings_poll_seconds_check CHECK (((poll_seconds >= 60) AND (poll_seconds <= 86400))),
  constraint settings_stale_after_minutes_check CHECK (((stale_after_minutes >= 5) AND (stale_after_minutes <= 10080))),
  constraint settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column sync.settings.user_id is '@type UserId';

create view sync.standings as
 SELECT id,
    user_id,
    origin_item_id AS item_id,
    rec_id,
    target_calendar_id,
    near_ms,
        CASE
            WHEN state = 'deleting'::text THEN 'pending'::text
            ELSE state
        END AS state
   FROM sync.mirrors;

create view sync.targets as
 SELECT calendar_id
   FROM sync.members
  WHERE is_target;

create table sync.troubles (
  user_id uuid not null,
  kind text not null,
  subject text not null,
  since timestamp with time zone default now() not null,
  told_at timestamp with time zone,
  healed_at timestamp with time zone,
  constraint troubles_kind_check CHECK ((kind = ANY (ARRAY['reconnect'::text, 'stopped'::text, 'breaker'::text]))),
  constraint troubles_pkey PRIMARY KEY (user_id, kind, subject),
  constraint troubles_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column sync.troubles.user_id is '@type UserId';

create view sync.writes as
 SELECT mirror_id,
    (EXTRACT(epoch FROM at) * 1000::numeric)::bigint AS at_ms,
    status
   FROM sync.audit
  WHERE status = 'error'::text OR (type = ANY (ARRAY['mirror.created'::text, 'mirror.updated'::text, 'mirror.deleted'::text, 'mirror.repaired'::text]));

CREATE OR REPLACE FUNCTION sync.drop_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from sync.audit where user_id in (select id from gone);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.keep_targets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from sync.mirrors where target_calendar_id in (select id from gone)) then
    raise foreign_key_violation using message = 'blocks stand in this calendar', schema = 'sync', table = 'mirrors';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sync.require_target()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  wanted uuid[] := (select array_agg(distinct target_calendar_id) from added);
  found_rows integer;
begin
  perform from connections.calendars where id = any(wanted) order by id for key share;
  get diagnostics found_rows = row_count;
  if found_rows < cardinality(wanted) then
    raise foreign_key_violation using message = 'a mirror needs its target', schema = 'sync', table = 'mirrors';
  end if;
  return null;
end $function$;

create schema takeout;

create table takeout.chunks (
  export_id uuid not null,
  seq integer not null,
  bytes bytea not null,
  constraint chunks_export_id_fkey FOREIGN KEY (export_id) REFERENCES takeout.exports(id) ON DELETE CASCADE,
  constraint chunks_pkey PRIMARY KEY (export_id, seq)
);
comment on table takeout.chunks is '@momentary';

create table takeout.exports (
  id uuid not null,
  user_id uuid not null,
  state text default 'making'::text not null,
  done integer default 0 not null,
  total integer default 0 not null,
  size_bytes bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint exports_pkey PRIMARY KEY (id),
  constraint exports_state_check CHECK ((state = ANY (ARRAY['making'::text, 'ready'::text, 'failed'::text]))),
  constraint exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint exports_user_id_key UNIQUE (user_id)
);
CREATE INDEX exports_by_expiry ON takeout.exports USING btree (expires_at);
comment on table takeout.exports is '@momentary';
comment on column takeout.exports.user_id is '@type UserId';

create schema teams;

create table teams.invitations (
  id uuid not null,
  team_id uuid not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  invited_by uuid,
  sent_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES accounts.users(id) ON DELETE SET NULL,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'editor'::text, 'viewer'::text]))),
  constraint invitations_team_id_email_key UNIQUE (team_id, email),
  constraint invitations_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams.teams(id) ON DELETE CASCADE,
  constraint invitations_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX invitations_by_email ON teams.invitations USING btree (email);
CREATE INDEX invitations_by_inviter ON teams.invitations USING btree (invited_by);
comment on column teams.invitations.id is '@type TeamInvitationId';
comment on column teams.invitations.team_id is '@type TeamId';
comment on column teams.invitations.invited_by is '@type UserId';

create table teams.logos (
  team_id uuid not null,
  file text not null,
  bytes bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint logos_file_key UNIQUE (file),
  constraint logos_pkey PRIMARY KEY (team_id),
  constraint logos_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams.teams(id) ON DELETE CASCADE
);
comment on column teams.logos.team_id is '@type TeamId';

create table teams.members (
  team_id uuid not null,
  user_id uuid not null,
  role text not null,
  shares text default 'busy'::text not null,
  joined_at timestamp with time zone default now() not null,
  constraint members_pkey PRIMARY KEY (team_id, user_id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'viewer'::text]))),
  constraint members_shares_check CHECK ((shares = ANY (ARRAY['busy'::text, 'details'::text]))),
  constraint members_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams.teams(id) ON DELETE CASCADE,
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX members_by_user ON teams.members USING btree (user_id);
CREATE UNIQUE INDEX members_one_owner ON teams.members USING btree (team_id) WHERE (role = 'owner'::text);
CREATE TRIGGER end_team AFTER DELETE ON teams.members FOR EACH ROW WHEN ((old.role = 'owner'::text)) EXECUTE FUNCTION teams.end_team();
comment on column teams.members.team_id is '@type TeamId';
comment on column teams.members.user_id is '@type UserId';

create table teams.teams (
  id uuid not null,
  name text not null,
  about text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint teams_about_check CHECK ((length(about) <= 1000)),
  constraint teams_name_check CHECK (((name <> ''::text) AND (length(name) <= 100))),
  constraint teams_pkey PRIMARY KEY (id)
);
CREATE INDEX teams_deleted ON teams.teams USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
comment on column teams.teams.id is '@type TeamId';

create table teams.trail (
  seq bigint generated always as identity not null,
  team_id uuid not null,
  at timestamp with time zone default now() not null,
  actor_id uuid,
  subject_id uuid,
  kind text not null,
  details jsonb default '{}'::jsonb not null,
  constraint trail_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES accounts.users(id) ON DELETE SET NULL,
  constraint trail_pkey PRIMARY KEY (seq),
  constraint trail_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES accounts.users(id) ON DELETE SET NULL,
  constraint trail_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams.teams(id) ON DELETE CASCADE
);
CREATE INDEX trail_by_actor ON teams.trail USING btree (actor_id);
CREATE INDEX trail_by_age ON teams.trail USING btree (at);
CREATE INDEX trail_by_subject ON teams.trail USING btree (subject_id);
CREATE INDEX trail_by_team ON teams.trail USING btree (team_id, seq);
comment on column teams.trail.team_id is '@type TeamId';
comment on column teams.trail.actor_id is '@type UserId';
comment on column teams.trail.subject_id is '@type UserId';

create table teams.transfers (
  team_id uuid not null,
  user_id uuid not null,
  asked_at timestamp with time zone default now() not null,
  constraint transfers_pkey PRIMARY KEY (team_id),
  constraint transfers_team_id_user_id_fkey FOREIGN KEY (team_id, user_id) REFERENCES teams.members(team_id, user_id) ON DELETE CASCADE
);
CREATE INDEX transfers_by_user ON teams.transfers USING btree (user_id);
comment on column teams.transfers.team_id is '@type TeamId';
comment on column teams.transfers.user_id is '@type UserId';

CREATE OR REPLACE FUNCTION teams.end_team()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update teams.teams set deleted_at = coalesce(deleted_at, now()) where id = old.team_id;
  return null;
end $function$;

create schema workflows;

create table workflows.addresses (
  user_id uuid not null,
  address text not null,
  code_hash bytea,
  tries integer default 0 not null,
  asked_ms bigint not null,
  confirmed_ms bigint,
  constraint addresses_pkey PRIMARY KEY (user_id, address),
  constraint addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
comment on column workflows.addresses.user_id is '@type UserId';

create table workflows.attempts (
  run_id uuid not null,
  generation integer not null,
  n integer not null,
  at_ms bigint not null,
  outcome text not null,
  reason text,
  constraint attempts_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text, 'again'::text, 'unknown'::text]))),
  constraint attempts_pkey PRIMARY KEY (run_id, generation, n),
  constraint attempts_run_id_fkey FOREIGN KEY (run_id) REFERENCES workflows.runs(id) ON DELETE CASCADE
);
comment on column workflows.attempts.run_id is '@type RunId';

create table workflows.consents (
  id bigint generated always as identity not null,
  user_id uuid not null,
  phone text not null,
  given boolean not null,
  source text not null,
  source_id text,
  at_ms bigint not null,
  constraint consents_pkey PRIMARY KEY (id),
  constraint consents_source_check CHECK ((source = ANY (ARRAY['booking'::text, 'own'::text, 'stated'::text, 'message'::text, 'network'::text]))),
  constraint consents_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint consents_user_id_phone_source_source_id_key UNIQUE (user_id, phone, source, source_id)
);
comment on column workflows.consents.user_id is '@type UserId';

create table workflows.credentials (
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  label text not null,
  settings jsonb not null,
  secret text not null,
  simulated boolean not null,
  refused text,
  created_ms bigint not null,
  constraint credentials_kind_check CHECK ((kind = ANY (ARRAY['twilio'::text, 'sms-webhook'::text, 'slack-webhook'::text, 'slack-bot'::text, 'crm-webhook'::text, 'hubspot'::text]))),
  constraint credentials_pkey PRIMARY KEY (id),
  constraint credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX credentials_by_user ON workflows.credentials USING btree (user_id);
comment on column workflows.credentials.id is '@type CredentialId';
comment on column workflows.credentials.user_id is '@type UserId';
comment on column workflows.credentials.secret is '@sealed';

create table workflows.crm_records (
  credential_id uuid not null,
  external_id text not null,
  sequence integer not null,
  busy_until_ms bigint not null,
  constraint crm_records_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES workflows.credentials(id) ON DELETE CASCADE,
  constraint crm_records_pkey PRIMARY KEY (credential_id, external_id)
);
comment on column workflows.crm_records.credential_id is '@type CredentialId';

create table workflows.deliveries (
  run_key text not null,
  credential_id uuid not null,
  state text not null,
  begun_ms bigint not null,
  reference text,
  status text,
  error_code integer,
  constraint deliveries_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES workflows.credentials(id) ON DELETE CASCADE,
  constraint deliveries_credential_id_reference_key UNIQUE (credential_id, reference),
  constraint deliveries_pkey PRIMARY KEY (run_key),
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['trying'::text, 'done'::text])))
);
CREATE INDEX deliveries_by_age ON workflows.deliveries USING btree (begun_ms);
comment on column workflows.deliveries.credential_id is '@type CredentialId';

create table workflows.readers (
  id uuid not null,
  user_id uuid not null,
  address text not null,
  stopped_at timestamp with time zone,
  asked_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  constraint readers_pkey PRIMARY KEY (id),
  constraint readers_user_id_address_key UNIQUE (user_id, address),
  constraint readers_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX readers_by_address ON workflows.readers USING btree (address);
comment on column workflows.readers.user_id is '@type UserId';

create table workflows.runs (
  id uuid not null,
  workflow_id uuid not null,
  user_id uuid not null,
  step_id uuid not null,
  version integer not null,
  position integer not null,
  kind text not null,
  subject text not null,
  booking_id uuid,
  occurrence integer not null,
  state text not null,
  reason text,
  facts jsonb,
  due_ms bigint not null,
  about_ms bigint,
  next_ms bigint,
  attempts integer default 0 not null,
  generation integer default 0 not null,
  begun boolean default false not null,
  reference text,
  created_ms bigint not null,
  settled_ms bigint,
  constraint runs_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking.bookings(id) ON DELETE CASCADE,
  constraint runs_check CHECK (((state = ANY (ARRAY['planned'::text, 'claimed'::text, 'handed'::text])) = (next_ms IS NOT NULL))),
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_state_check CHECK ((state = ANY (ARRAY['planned'::text, 'claimed'::text, 'handed'::text, 'done'::text, 'skipped'::text, 'dead'::text]))),
  constraint runs_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE,
  constraint runs_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows.workflows(id) ON DELETE CASCADE,
  constraint runs_workflow_id_step_id_subject_occurrence_key UNIQUE (workflow_id, step_id, subject, occurrence)
);
CREATE INDEX runs_by_booking ON workflows.runs USING btree (booking_id);
CREATE INDEX runs_due ON workflows.runs USING btree (next_ms, "position") WHERE (state = ANY (ARRAY['planned'::text, 'claimed'::text]));
CREATE INDEX runs_handed ON workflows.runs USING btree (next_ms) WHERE (state = 'handed'::text);
CREATE INDEX runs_mailed ON workflows.runs USING btree (user_id, settled_ms) WHERE ((kind = 'send-email'::text) AND (state = ANY (ARRAY['handed'::text, 'done'::text])));
CREATE INDEX runs_of_workflow ON workflows.runs USING btree (workflow_id, created_ms, id);
comment on column workflows.runs.id is '@type RunId';
comment on column workflows.runs.workflow_id is '@type WorkflowId';
comment on column workflows.runs.user_id is '@type UserId';
comment on column workflows.runs.step_id is '@type StepId';
comment on column workflows.runs.booking_id is '@type BookingId';

create table workflows.sms_months (
  credential_id uuid not null,
  month text not null,
  used integer not null,
  constraint sms_months_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES workflows.credentials(id) ON DELETE CASCADE,
  constraint sms_months_pkey PRIMARY KEY (credential_id, month)
);
comment on column workflows.sms_months.credential_id is '@type CredentialId';

create table workflows.versions (
  workflow_id uuid not null,
  n integer not null,
  definition jsonb not null,
  author_id uuid,
  created_ms bigint not null,
  constraint versions_author_id_fkey FOREIGN KEY (author_id) REFERENCES accounts.users(id) ON DELETE SET NULL,
  constraint versions_pkey PRIMARY KEY (workflow_id, n),
  constraint versions_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows.workflows(id) ON DELETE CASCADE
);
comment on column workflows.versions.workflow_id is '@type WorkflowId';
comment on column workflows.versions.author_id is '@type UserId';

create table workflows.waiting_runs (
  reader_id uuid not null,
  run_id uuid not null,
  constraint waiting_runs_pkey PRIMARY KEY (reader_id, run_id),
  constraint waiting_runs_reader_id_fkey FOREIGN KEY (reader_id) REFERENCES workflows.readers(id) ON DELETE CASCADE,
  constraint waiting_runs_run_id_fkey FOREIGN KEY (run_id) REFERENCES workflows.runs(id) ON DELETE CASCADE
);
CREATE INDEX waiting_runs_by_run ON workflows.waiting_runs USING btree (run_id);
comment on column workflows.waiting_runs.run_id is '@type RunId';

create table workflows.workflows (
  id uuid not null,
  user_id uuid not null,
  team_id uuid,
  name text not null,
  active boolean not null,
  version integer not null,
  trigger text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  tags text[] default '{}'::text[] not null,
  constraint workflows_pkey PRIMARY KEY (id),
  constraint workflows_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams.teams(id) ON DELETE CASCADE,
  constraint workflows_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE
);
CREATE INDEX workflows_by_team ON workflows.workflows USING btree (team_id) WHERE (team_id IS NOT NULL);
CREATE INDEX workflows_by_user ON workflows.workflows USING btree (user_id);
comment on column workflows.workflows.id is '@type WorkflowId';
comment on column workflows.workflows.user_id is '@type UserId';
comment on column workflows.workflows.team_id is '@type TeamId';
