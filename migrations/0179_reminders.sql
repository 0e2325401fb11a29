-- Reminders are part of an event type: so many minutes before the start each. A booking notes the last reminder of its
-- present start, so that each is sent once.
update booking.event_types set settings = settings || '{"reminders_minutes": [1440]}'
where not settings ? 'reminders_minutes';

alter table booking.bookings add column reminded_start_ms bigint, add column reminded_minutes integer;
update booking.bookings b set reminded_start_ms = a.start_ms, reminded_minutes = 1440
from booking.appointments a
where a.id = b.appointment_id and b.reminded_sequence = b.sequence;
alter table booking.bookings drop column reminded_sequence;

-- Yes and no of routing forms are data, and each reader's language has words for them.
update routing.submissions s set said = (
  select jsonb_agg(
    case when jsonb_typeof(s.answers -> (one.value ->> 'id')) = 'boolean'
      then one.value || jsonb_build_object('answer', s.answers -> (one.value ->> 'id')) else one.value end
    order by one.ordinality)
  from jsonb_array_elements(s.said) with ordinality as one)
where exists (select from jsonb_each(s.answers) as given where jsonb_typeof(given.value) = 'boolean');
