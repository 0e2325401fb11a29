-- What those who run this install did, and what it did by itself: a chain that only grows.
create table accounts.audit (
  -- place in the chain, from 1, without gaps
  position bigint primary key,
  -- never before the entry in front of it
  at timestamptz not null,
  -- absent: the install itself. Ids only, and no reference: entries outlive people, what is told of them does not
  actor_id uuid,
  by_system boolean not null generated always as (actor_id is null) stored,
  action text not null,
  subject_kind text,
  subject_id text,
  reason text check (length(reason) between 3 and 500),
  request_id text,
  -- a few plain values: never a secret, a name or an address
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object' and pg_column_size(details) <= 1000),
  -- what can be searched
  words text not null generated always as (lower(coalesce(reason, '') || ' ' || details::text)) stored,
  -- SHA-256 of the hash before it and of everything above
  hash bytea not null,
  check ((subject_kind is null) = (subject_id is null))
);
create index users_administrators on accounts.users (id) where role = 'admin';
comment on column accounts.audit.actor_id is '@type UserId';
create index audit_by_time on accounts.audit (at);
create index audit_by_actor on accounts.audit (actor_id, action, position);
create index audit_by_action on accounts.audit (by_system, action, position);
create index audit_by_subject on accounts.audit (subject_id, position) where subject_id is not null;
create index audit_by_words on accounts.audit using gin (words gin_trgm_ops);

create function accounts.refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit only grows' using errcode = 'restrict_violation';
end $$;
create trigger refuse_change before update or delete on accounts.audit
  for each row execute function accounts.refuse_audit_change();
create trigger refuse_truncate before truncate on accounts.audit
  for each statement execute function accounts.refuse_audit_change();

-- Acts of transactions that are not over. A row lives until its transaction commits, so a crash has none to lose.
create unlogged table accounts.audit_pending (
  id bigint generated always as identity primary key,
  actor_id uuid,
  action text not null,
  subject_kind text,
  subject_id text,
  reason text,
  request_id text,
  details jsonb not null default '{}'
);
comment on column accounts.audit_pending.actor_id is '@type UserId';

-- At the very end of a transaction, so that the one lock of the chain is held while it commits and no longer: nobody waits
-- for it with another lock in hand.
create function accounts.chain_audit() returns trigger language plpgsql as $$
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
end $$;
create constraint trigger chain after insert on accounts.audit_pending
  deferrable initially deferred for each row execute function accounts.chain_audit();
