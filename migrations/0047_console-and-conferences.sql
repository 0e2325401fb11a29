-- Times that guests have booked: what the console lists beside events with somebody else in them. `key` is the event
-- where there is one to be, else the appointment.
create view booking.meetings as
  select a.id as appointment_id, coalesce(a.item_id, a.id) as key, a.user_id, a.calendar_id, a.item_id, a.start_ms,
    a.end_ms, a.title
  from booking.appointments a
  where a.live and exists (select from booking.bookings b where b.appointment_id = a.id and b.state = 'confirmed');

-- Who comes, for filters.
create view booking.comers as
  select coalesce(a.item_id, a.id) as key, a.user_id, b.guest_name, b.guest_email
  from booking.appointments a join booking.bookings b on b.appointment_id = a.id
  where a.live and b.state = 'confirmed';

alter table inbox.notices drop constraint notices_kind_check;
alter table inbox.notices add constraint notices_kind_check check (kind in ('reconnect', 'stopped', 'calendar', 'breaker',
  'mirrors', 'conflict', 'edit', 'booking-moved', 'booking-deleted', 'booking-declined', 'booking-conflict',
  'booking-overbooked', 'stale', 'requested', 'booked', 'cancelled'));

-- Meetings that a provider makes: until its link is known, and whom it is still to be told.
create index appointments_without_link on booking.appointments (end_ms)
  where live and join_url is null and location ->> 'kind' in ('google-meet', 'teams');
alter table booking.bookings
  add column told_without_link boolean not null default false; -- its mails went out before the link was known
