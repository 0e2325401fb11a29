-- Calendars whose events take no time: left out by their person, or not listed by their provider for longer than the grace.
create view connections.uncounted as
  select id, user_id from connections.calendars
  where not include_in_unified or removed_at < now() - interval '6 hours';

create or replace view calendar.taken as
  select user_id, calendar_id, start_ms, end_ms from calendar.spans s
  where class = 'busy'
    and not exists (select from connections.uncounted u where u.id = s.calendar_id)
    and not exists (select from booking.appointments a where a.item_id = s.item_id)
    and not exists (select from booking.copies p where p.item_id = s.item_id);
