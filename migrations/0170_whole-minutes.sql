-- Calls tell starts and lengths of bookings in whole minutes. An event that was moved by seconds had taken its booking
-- along, and links could offer starts between two minutes: neither page could then be shown.
update booking.appointments
set start_ms = start_ms - start_ms % 60000,
  end_ms = greatest(end_ms - end_ms % 60000, start_ms - start_ms % 60000 + 60000)
where start_ms % 60000 <> 0 or end_ms % 60000 <> 0;

alter table booking.appointments
  add constraint appointments_whole_minutes check (start_ms % 60000 = 0 and end_ms % 60000 = 0);

update booking.questions set start_ms = start_ms - start_ms % 60000, end_ms = end_ms - end_ms % 60000
where start_ms % 60000 <> 0 or end_ms % 60000 <> 0;

update booking.links
set starts = array(select distinct start_ms - start_ms % 60000 from unnest(starts) as s(start_ms) order by 1)
where exists (select from unnest(starts) as s(start_ms) where start_ms % 60000 <> 0);
