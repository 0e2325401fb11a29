create schema contacts;

-- Whom a person meets: one row for each address. Several that are one person share `person_id`, the id of the one that is shown.
create table contacts.contacts (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  person_id uuid not null references contacts.contacts deferrable initially deferred,
  address text not null, -- lower case
  address_key text not null, -- what its variants have in common, features/contacts/rules/address.ts
  name text,
  name_key text, -- folded; null where too short to tell people by
  phone text,
  company text,
  tags text[] not null default '{}',
  text text not null, -- folded, what is searched
  source text not null check (source in ('booking', 'calendar', 'hand', 'import')),
  brought jsonb, -- what it gave to the person it was merged into, taken back when they are parted
  -- counted when somebody looks, features/contacts/store/meeting-rows.ts
  met integer not null default 0,
  last_ms bigint, -- start of the last meeting that is over
  next_ms bigint, -- start of the one that is on or next
  due_ms bigint default 0, -- from when on the counts are not true any more
  created_ms bigint not null,
  changed_ms bigint not null,
  deleted_ms bigint, -- can be taken back for 30 days; then the address alone is kept, so that it stays away
  unique (user_id, address)
);
comment on column contacts.contacts.id is '@type ContactId';
comment on column contacts.contacts.user_id is '@type UserId';
comment on column contacts.contacts.person_id is '@type ContactId';
create index contacts_by_person on contacts.contacts (person_id);
create index contacts_by_words on contacts.contacts using gin (user_id, text gin_trgm_ops);
create index contacts_by_last on contacts.contacts (user_id, coalesce(last_ms, 0), id) where id = person_id and deleted_ms is null;
create index contacts_by_name on contacts.contacts (user_id, name_key) where deleted_ms is null;
create index contacts_by_variant on contacts.contacts (user_id, address_key) where deleted_ms is null;
create index contacts_due on contacts.contacts (user_id, due_ms) where id = person_id;

-- Pairs that look alike and are two people.
create table contacts.strangers (
  one_id uuid not null references contacts.contacts on delete cascade,
  other_id uuid not null references contacts.contacts on delete cascade,
  primary key (one_id, other_id),
  check (one_id < other_id)
);
comment on column contacts.strangers.one_id is '@type ContactId';
comment on column contacts.strangers.other_id is '@type ContactId';
create index strangers_by_other on contacts.strangers (other_id);

create table contacts.notes (
  id uuid primary key,
  contact_id uuid not null references contacts.contacts on delete cascade,
  body text not null,
  at_ms bigint not null,
  deleted_ms bigint
);
comment on column contacts.notes.id is '@type NoteId';
comment on column contacts.notes.contact_id is '@type ContactId';
create index notes_by_contact on contacts.notes (contact_id, at_ms);

-- Mails that somebody had sent to a contact.
create table contacts.follow_ups (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  contact_id uuid not null references contacts.contacts on delete cascade,
  subject text not null,
  body text not null,
  at_ms bigint not null
);
comment on column contacts.follow_ups.user_id is '@type UserId';
comment on column contacts.follow_ups.contact_id is '@type ContactId';
create index follow_ups_by_contact on contacts.follow_ups (contact_id, at_ms);
create index follow_ups_by_user on contacts.follow_ups (user_id, at_ms);

-- Who in a team looks after an address.
create table contacts.owners (
  team_id uuid not null references teams.teams on delete cascade,
  address text not null,
  user_id uuid not null references accounts.users on delete cascade,
  primary key (team_id, address)
);
comment on column contacts.owners.team_id is '@type TeamId';
comment on column contacts.owners.user_id is '@type UserId';
create index owners_by_user on contacts.owners (user_id);

-- How far the events of a calendar were read for who takes part in them.
create table contacts.readings (
  item_id uuid primary key references calendar.items on delete cascade,
  calendar_id uuid not null,
  version text not null -- of the item, and of who its reader is
);
comment on column contacts.readings.item_id is '@type ItemId';
comment on column contacts.readings.calendar_id is '@type CalendarId';
create index readings_by_calendar on contacts.readings (calendar_id);

create table contacts.attendances (
  item_id uuid not null references contacts.readings on delete cascade,
  user_id uuid not null,
  address text not null,
  only_in text[], -- of a series these instances alone; null: all but
  not_in text[] not null default '{}',
  primary key (item_id, address)
);
comment on column contacts.attendances.item_id is '@type ItemId';
comment on column contacts.attendances.user_id is '@type UserId';
create index attendances_by_address on contacts.attendances (user_id, address);

-- Who was or is to be at what was booked.
create table contacts.guests (
  booking_id uuid not null references booking.bookings on delete cascade,
  user_id uuid not null references accounts.users on delete cascade,
  address text not null,
  primary key (booking_id, address)
);
comment on column contacts.guests.booking_id is '@type BookingId';
comment on column contacts.guests.user_id is '@type UserId';
create index guests_by_address on contacts.guests (user_id, address);

-- Meetings that are over, before the calendar forgets their instances.
create table contacts.held (
  user_id uuid not null references accounts.users on delete cascade,
  address text not null,
  key text not null,
  start_ms bigint not null,
  end_ms bigint not null,
  title text,
  primary key (user_id, address, key, start_ms)
);
comment on column contacts.held.user_id is '@type UserId';

-- Instances with somebody else that count: not cancelled, not declined; with what makes two copies one meeting.
create view calendar.met as
  select s.user_id, s.item_id, s.rec_id, s.start_ms, s.end_ms, i.title, coalesce(i.uid, i.id::text) as key
  from calendar.spans s join calendar.items i on i.id = s.item_id
  where s.meeting and s.class <> 'ignore' and i.provenance = 'foreign' and i.gone_at is null;

-- What was booked and stands, or was held.
create view booking.met as
  select b.id as booking_id, a.start_ms, a.end_ms, a.title, a.item_id, coalesce(i.uid, a.item_id::text, a.id::text) as key
  from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    left join calendar.items i on i.id = a.item_id
  where a.live and b.state = 'confirmed' and not b.guest_no_show and not b.host_no_show;

-- Every meeting with an address. One that is in several calendars, or booked and in one, is in here more than once.
create view contacts.meetings as
  select a.user_id, a.address, m.key, m.start_ms, m.end_ms, m.title, m.item_id, m.rec_id
  from contacts.attendances a join calendar.met m on m.item_id = a.item_id
  where (a.only_in is null or m.rec_id = any (a.only_in)) and m.rec_id <> all (a.not_in)
  union all
  select g.user_id, g.address, m.key, m.start_ms, m.end_ms, m.title, m.item_id, ''
  from contacts.guests g join booking.met m on m.booking_id = g.booking_id
  union all
  select h.user_id, h.address, h.key, h.start_ms, h.end_ms, h.title, null, '' from contacts.held h;
