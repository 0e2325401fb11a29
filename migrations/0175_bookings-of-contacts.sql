-- Bookings of a contact, past and to come, are counted beside their meetings.
create view booking.booked as
  select b.id as booking_id, a.user_id as host_id, a.start_ms, a.end_ms
  from booking.bookings b join booking.appointments a on a.id = b.appointment_id
  where a.live and b.state = 'confirmed';

alter table contacts.contacts add column bookings integer not null default 0;
update contacts.contacts set due_ms = 0 where id = person_id and due_ms is distinct from 0;

create or replace view contacts.meetings as
  select a.user_id, a.address, m.key, m.start_ms, m.end_ms, m.title, m.item_id, m.rec_id, null::uuid as booking_id
  from contacts.attendances a join calendar.met m on m.item_id = a.item_id
  where (a.only_in is null or m.rec_id = any (a.only_in)) and m.rec_id <> all (a.not_in)
  union all
  select g.user_id, g.address, m.key, m.start_ms, m.end_ms, m.title, m.item_id, '', g.booking_id
  from contacts.guests g join booking.met m on m.booking_id = g.booking_id and m.host_id = g.user_id
  union all
  select h.user_id, h.address, h.key, h.start_ms, h.end_ms, h.title, null, '', null
  from contacts.held h;
