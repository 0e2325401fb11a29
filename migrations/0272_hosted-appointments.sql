-- Appointments by each of their hosts, with the event in the calendar of that host. The views below knew the first host only,
-- so other hosts missed meetings in their console.
create view booking.hosted as
  select id as appointment_id, user_id as host_id, calendar_id, item_id from booking.appointments
  union all
  select c.appointment_id, c.host_id, c.calendar_id, c.item_id
  from booking.copies c join booking.appointments a on a.id = c.appointment_id
  where a.user_id <> c.host_id and a.host_ids @> array[c.host_id];
comment on column booking.hosted.appointment_id is '@type AppointmentId';
comment on column booking.hosted.host_id is '@type UserId';
comment on column booking.hosted.calendar_id is '@type CalendarId';
comment on column booking.hosted.item_id is '@type ItemId';

create or replace view booking.meetings as
  select h.appointment_id, coalesce(h.item_id, h.appointment_id) as key, h.host_id as user_id, h.calendar_id, h.item_id,
    a.start_ms, a.end_ms, a.title
  from booking.hosted h join booking.appointments a on a.id = h.appointment_id
  where a.live and exists (select from booking.bookings b where b.appointment_id = a.id and b.state = 'confirmed');

create or replace view booking.comers as
  select coalesce(h.item_id, h.appointment_id) as key, h.host_id as user_id, b.guest_name, b.guest_email
  from booking.hosted h join booking.appointments a on a.id = h.appointment_id
    join booking.bookings b on b.appointment_id = a.id
  where a.live and b.state = 'confirmed';
