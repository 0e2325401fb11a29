-- When the present time of a booking was arranged, where it was moved: what is planned by how far ahead that was counts
-- from then.
alter table booking.bookings add column arranged_ms bigint;

update booking.bookings b set arranged_ms = m.at_ms
from (select booking_id, max(at_ms) as at_ms from booking.audit where kind = 'rescheduled' group by booking_id) m
where m.booking_id = b.id;
