-- What a host was booked for in a span is found by the host and the span: without the host, every guest they ever had
-- was walked through to see which of them fell into a month.
create or replace view booking.met as
  select b.id as booking_id, a.start_ms, a.end_ms, a.title, a.item_id, coalesce(i.uid, a.item_id::text, a.id::text) as key,
    a.user_id as host_id
  from booking.bookings b join booking.appointments a on a.id = b.appointment_id
  left join calendar.items i on i.id = a.item_id
  where a.live and b.state = 'confirmed' and not b.guest_no_show and not b.host_no_show;

create or replace view contacts.meetings as
  select a.user_id, a.address, m.key, m.start_ms, m.end_ms, m.title, m.item_id, m.rec_id
  from contacts.attendances a join calendar.met m on m.item_id = a.item_id
  where (a.only_in is null or m.rec_id = any (a.only_in)) and m.rec_id <> all (a.not_in)
  union all
  select g.user_id, g.address, m.key, m.start_ms, m.end_ms, m.title, m.item_id, ''
  from contacts.guests g join booking.met m on m.booking_id = g.booking_id and m.host_id = g.user_id
  union all
  select h.user_id, h.address, h.key, h.start_ms, h.end_ms, h.title, null, '' from contacts.held h;
