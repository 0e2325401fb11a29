-- Guests answer the host's mails, unless the host hides their address from guests.
alter table accounts.users add column hide_email boolean not null default false;

-- The address of the organizer in the invitations of a booking, empty for that of the install; null before the first one.
-- Calendar programs ignore changes and cancellations by another organizer. Invitations until now had that of the install.
alter table booking.bookings add column organizer text;
update booking.bookings set organizer = '' where confirmed_ms is not null;
