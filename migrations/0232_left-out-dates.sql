-- A series lists the dates that its guest left out as they booked it.
alter table booking.bookings add column series_left_out jsonb not null default '[]';
