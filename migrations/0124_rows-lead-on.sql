-- The rows of a figure lead on to what they are of: a booking, or an instance of an event.
create or replace view analytics.meetings as
  select s.user_id, s.calendar_id, s.item_id, s.start_ms, s.end_ms, i.title, coalesce(i.uid, i.id::text) as key,
    c.provider, c.profile, false as booked, null::uuid as event_type_id, null::uuid as team_id, s.rec_id,
    null::uuid as booking_id
  from calendar.spans s join calendar.items i on i.id = s.item_id
    join connections.calendars k on k.id = s.calendar_id join connections.connections c on c.id = k.connection_id
  where s.meeting and s.class <> 'ignore' and i.provenance = 'foreign' and i.gone_at is null
  union all
  select f.host_id, f.calendar_id, m.item_id, f.start_ms, f.end_ms, m.title, coalesce(pi.uid, m.key), null, null, true,
    f.event_type_id, f.team_id, '', f.booking_id
  from analytics.facts f join booking.met m on m.booking_id = f.booking_id
    join booking.bookings b on b.id = f.booking_id
    left join booking.copies p on p.appointment_id = b.appointment_id and p.host_id = f.host_id
    left join calendar.items pi on pi.id = p.item_id;

create or replace view analytics.met as
  select m.user_id, m.address, m.key, m.start_ms, m.end_ms, m.title, i.calendar_id, m.item_id, m.rec_id
  from contacts.meetings m left join calendar.items i on i.id = m.item_id;
