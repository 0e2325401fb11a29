create schema analytics;

-- Bookings as they are counted: what was asked for or stands. A booking that waits for its guest's mail is none yet.
create view booking.counted as
  select b.id as booking_id, h.id as host_id, b.event_type_id, t.team_id, case when h.id = a.user_id then a.calendar_id end as calendar_id,
    b.state, b.created_ms, a.start_ms, a.end_ms, b.ended_ms, b.confirmed_ms, b.guest_no_show, b.host_no_show, b.guest_zone
  from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    join accounts.users h on h.id = any(a.host_ids)
    left join booking.event_types t on t.id = b.event_type_id
  where b.state in ('pending', 'confirmed', 'declined', 'cancelled', 'expired')
    and exists (select from booking.audit n where n.booking_id = b.id and n.kind in ('requested', 'confirmed'));

-- What was counted of each booking, for each of its hosts, so that a change is one more here and one fewer there.
create table analytics.facts (
  booking_id uuid not null references booking.bookings on delete cascade,
  host_id uuid not null references accounts.users on delete cascade,
  event_type_id uuid, -- these stay when they are gone
  team_id uuid,
  calendar_id uuid, -- of the host whose calendar has the event
  state text not null check (state in ('pending', 'confirmed', 'declined', 'cancelled', 'expired')),
  created_ms bigint not null,
  start_ms bigint not null,
  end_ms bigint not null,
  ended_ms bigint,
  confirmed_ms bigint,
  guest_no_show boolean not null,
  host_no_show boolean not null,
  guest_zone text,
  primary key (booking_id, host_id)
);
comment on column analytics.facts.booking_id is '@type BookingId';
comment on column analytics.facts.host_id is '@type UserId';
comment on column analytics.facts.event_type_id is '@type EventTypeId';
comment on column analytics.facts.team_id is '@type TeamId';
comment on column analytics.facts.calendar_id is '@type CalendarId';
create index facts_by_start on analytics.facts (host_id, start_ms);
create index facts_by_creation on analytics.facts (host_id, created_ms);
create index facts_by_end on analytics.facts (host_id, ended_ms) where ended_ms is not null;
create index facts_of_team_by_start on analytics.facts (team_id, start_ms) where team_id is not null;
create index facts_of_team_by_creation on analytics.facts (team_id, created_ms) where team_id is not null;
create index facts_of_team_by_end on analytics.facts (team_id, ended_ms) where team_id is not null and ended_ms is not null;

-- Whose bookings are summed up by the days of which zone. Until they are `whole` nobody reads their sums.
create table analytics.people (
  user_id uuid primary key references accounts.users on delete cascade,
  zone text not null,
  whole boolean not null default false
);
comment on column analytics.people.user_id is '@type UserId';

-- Sums of what a host's bookings count each day: features/analytics/rules/count-booking.ts.
create table analytics.days (
  host_id uuid not null references analytics.people on delete cascade,
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
  primary key (host_id, day)
);
comment on column analytics.days.host_id is '@type UserId';

-- Bookings that go with one of their hosts were counted for the others too.
create function analytics.distrust_sums() returns trigger language plpgsql as $$
begin
  update analytics.people set whole = false where user_id in (select host_id from gone) and whole;
  return null;
end $$;
create trigger distrust_sums after delete on analytics.facts
  referencing old table as gone for each statement execute function analytics.distrust_sums();

-- What one visitor did at one event type without a long pause. `visitor` means nothing once the salt of its day is gone.
create table analytics.visits (
  id bigint primary key generated always as identity,
  event_type_id uuid not null references booking.event_types on delete cascade,
  visitor bytea not null,
  first_ms bigint not null,
  last_ms bigint not null,
  chosen_ms bigint,
  submitted_ms bigint,
  booking_id uuid references booking.bookings on delete set null
);
comment on column analytics.visits.event_type_id is '@type EventTypeId';
comment on column analytics.visits.booking_id is '@type BookingId';
create index visits_by_type on analytics.visits (event_type_id, first_ms);
create index visits_by_visitor on analytics.visits (visitor, last_ms);
create index visits_by_booking on analytics.visits (booking_id) where booking_id is not null;

create table analytics.salts (
  day date primary key,
  salt text not null
);
comment on column analytics.salts.salt is '@sealed';

-- Since when visits are recorded here.
create table analytics.began (
  only_one boolean primary key default true check (only_one),
  at_ms bigint not null
);
insert into analytics.began (at_ms) values ((extract(epoch from now()) * 1000)::bigint);

-- Who asked for a mail about each week.
create table analytics.digests (
  user_id uuid primary key references accounts.users on delete cascade,
  asked_ms bigint not null
);
comment on column analytics.digests.user_id is '@type UserId';

insert into analytics.facts
  select booking_id, host_id, event_type_id, team_id, calendar_id, state, created_ms, start_ms, end_ms, ended_ms,
    confirmed_ms, guest_no_show, host_no_show, guest_zone from booking.counted;

-- What the owners of other data let be counted.

create view booking.ids as select id from booking.bookings;

create view booking.owned_types as
  select id, user_id, team_id, title, position, deleted_at is not null as gone from booking.event_types;

create view booking.told as
  select b.id as booking_id, a.title, b.guest_name, b.guest_email
  from booking.bookings b join booking.appointments a on a.id = b.appointment_id;

create view booking.prevented as
  select p.host_id, p.item_id, p.rec_id, p.kind, p.event_type_id, t.team_id, p.calendar_id, p.start_ms, p.end_ms, p.at_ms
  from booking.preventions p left join booking.event_types t on t.id = p.event_type_id;

-- Events that are not of a booking.
create view calendar.taken as
  select s.user_id, s.calendar_id, s.start_ms, s.end_ms from calendar.spans s
  where s.class = 'busy'
    and not exists (select from booking.appointments a where a.item_id = s.item_id)
    and not exists (select from booking.copies p where p.item_id = s.item_id);

-- Meetings with somebody else as they stand in calendars, and what was booked; one that is both, or in several calendars,
-- is in here more than once under one key.
create view analytics.meetings as
  select s.user_id, s.calendar_id, s.item_id, s.start_ms, s.end_ms, i.title, coalesce(i.uid, i.id::text) as key,
    c.provider, c.profile, false as booked, null::uuid as event_type_id, null::uuid as team_id
  from calendar.spans s join calendar.items i on i.id = s.item_id
    join connections.calendars k on k.id = s.calendar_id join connections.connections c on c.id = k.connection_id
  where s.meeting and s.class <> 'ignore' and i.provenance = 'foreign' and i.gone_at is null
  union all
  select f.host_id, f.calendar_id, m.item_id, f.start_ms, f.end_ms, m.title, coalesce(pi.uid, m.key), null, null, true,
    f.event_type_id, f.team_id
  from analytics.facts f join booking.met m on m.booking_id = f.booking_id
    join booking.bookings b on b.id = f.booking_id
    left join booking.copies p on p.appointment_id = b.appointment_id and p.host_id = f.host_id
    left join calendar.items pi on pi.id = p.item_id;

-- Whom a person met, contacts' own words.
create view analytics.met as
  select m.user_id, m.address, m.key, m.start_ms, m.end_ms, m.title, i.calendar_id
  from contacts.meetings m left join calendar.items i on i.id = m.item_id;

create view connections.states as
  select k.id, k.user_id, k.name, k.include_in_unified, k.failures, k.push_live,
    (extract(epoch from k.last_synced_at) * 1000)::bigint as last_synced_ms, c.provider, c.profile, c.label, c.status,
    k.created_at
  from connections.calendars k join connections.connections c on c.id = k.connection_id
  where k.removed_at is null and c.status <> 'disconnecting';

create view sync.blocks as
  select id, user_id, origin_item_id, rec_id, target_calendar_id, state,
    (extract(epoch from verified_at) * 1000)::bigint as verified_ms,
    (extract(epoch from updated_at) * 1000)::bigint as updated_ms
  from sync.mirrors;

create view sync.writes as
  select mirror_id, (extract(epoch from at) * 1000)::bigint as at_ms, status from sync.audit
  where status = 'error' or type in ('mirror.created', 'mirror.updated', 'mirror.deleted', 'mirror.repaired');

create view sync.polls as select user_id, poll_seconds from sync.settings;

create view sync.targets as select calendar_id from sync.members where is_target;
