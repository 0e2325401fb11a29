-- A series that was booked together is one recurring meeting in the calendars of its guests: each of its times is
-- named there by when it was booked for, wherever it was moved to.
alter table booking.bookings
  add column series_start_ms bigint, -- its start when it was booked
  add column series_zone text; -- of the hours that it was booked by: the wall clock that its times keep
update booking.bookings b set series_start_ms = a.start_ms,
    series_zone = coalesce((select u.zone from accounts.users u where u.id = b.user_id), 'UTC')
  from booking.appointments a where a.id = b.appointment_id and b.series_id is not null;
alter table booking.bookings
  add check ((series_id is null) = (series_start_ms is null) and (series_id is null) = (series_zone is null));
create index bookings_told_without_link on booking.bookings (id) where told_without_link;
