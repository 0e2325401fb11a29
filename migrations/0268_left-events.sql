-- Events of bookings that stayed at a provider when their calendar was disconnected or deleted. The booking has another
-- event since. Their refs tell them when the account is connected again.
create table booking.left_events (
  user_id uuid not null references accounts.users on delete cascade,
  ref text not null,
  appointment_id uuid not null references booking.appointments on delete cascade,
  primary key (user_id, ref, appointment_id)
);
create index left_events_of_appointment on booking.left_events (appointment_id);
comment on column booking.left_events.user_id is '@type UserId';
comment on column booking.left_events.appointment_id is '@type AppointmentId';
