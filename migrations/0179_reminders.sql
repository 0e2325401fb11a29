-- Reminders are part of an event type: so many minutes before the start each. A booking notes the last reminder of its
-- present start, so that each is sent once.
update booking.event_types set settings = settings || '{"reminders_minutes": [1440]}'
where not settings ? 'reminders_minutes';

alter table booking.bookings add column reminded_start_ms bigint, add column reminded_minutes integer;
update booking.bookings b set reminded_start_ms = a.start_ms, reminded_minutes = 1440
from booking.appointments a
where a.id = b.appointment_id and b.reminded_sequence = b.sequence;
alter table booking.bookings drop column reminded_sequence;
