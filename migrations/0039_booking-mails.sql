-- Which version of a booking its people were reminded of: what is moved is another one.
alter table booking.bookings add column reminded_sequence integer;
create index bookings_to_remind on booking.bookings (appointment_id) where state = 'confirmed';
