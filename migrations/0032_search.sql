-- Trigrams of one person's texts in one index: without the person in it a common word would find everybody's.
create extension if not exists btree_gin with schema public;

create schema search;

-- What of an event can be searched, beside the event: its index would be paid by every event that is read.
create table search.documents (
  item_id uuid primary key references calendar.items on delete cascade,
  user_id uuid not null,
  -- of the item, and of how its text was made: another one is read again
  version text not null,
  -- folded (kernel/fold-text.ts): the title, and in lines of their own the place and who attends
  text text not null,
  -- somebody else takes part
  meeting boolean not null,
  -- over all instances, as in calendar.items
  starts_ms bigint,
  ends_ms bigint
);
comment on column search.documents.item_id is '@type ItemId';
comment on column search.documents.user_id is '@type UserId';
create index documents_by_words on search.documents using gin (user_id, text gin_trgm_ops);

-- Who else takes part in what.
create table search.attendances (
  item_id uuid not null references search.documents on delete cascade,
  user_id uuid not null,
  email text not null,
  primary key (item_id, email)
);
comment on column search.attendances.item_id is '@type ItemId';
comment on column search.attendances.user_id is '@type UserId';
create index attendances_by_person on search.attendances (user_id, email);

-- People met; one without attendances is not shown, and goes with the next whole reading.
create table search.people (
  user_id uuid not null references accounts.users on delete cascade,
  email text not null,
  name text,
  text text not null,
  primary key (user_id, email)
);
comment on column search.people.user_id is '@type UserId';

-- How far the index has read: what changed later is looked at.
create table search.readings (
  calendar_id uuid primary key references connections.calendars on delete cascade,
  seen_at timestamptz not null
);
comment on column search.readings.calendar_id is '@type CalendarId';
