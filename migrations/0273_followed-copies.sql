-- The event of every host is followed as that of the first host is. Two hosts may be asked about one booking.
alter table booking.copies
  add column event_ref text, -- at the provider, once seen
  add column restores integer not null default 0, -- automatic ones since the host last changed it
  add column start_ms bigint, -- the time that it was last written for
  add column end_ms bigint;
update booking.copies c set start_ms = a.start_ms, end_ms = a.end_ms
from booking.appointments a where a.id = c.appointment_id and c.item_id is not null;
create index copies_by_calendar on booking.copies (calendar_id) where item_id is not null;
create or replace view booking.hosted as
  select id as appointment_id, user_id as host_id, calendar_id, item_id, event_ref, writes, restores, start_ms, end_ms
  from booking.appointments
  union all
  select c.appointment_id, c.host_id, c.calendar_id, c.item_id, c.event_ref, c.writes, c.restores, c.start_ms,
    c.end_ms
  from booking.copies c join booking.appointments a on a.id = c.appointment_id
  where a.user_id <> c.host_id and a.host_ids @> array[c.host_id];
alter table booking.questions
  drop constraint questions_appointment_id_kind_subject_key,
  add constraint questions_of_host unique (appointment_id, user_id, kind, subject);
