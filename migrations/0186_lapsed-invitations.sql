-- Invitations to unproved addresses that the limit of mails kept back or ended: their readers have nothing in a calendar.
create table booking.lapsed_invitations (
  -- of a series its first booking
  booking_id uuid not null references booking.bookings on delete cascade,
  -- in lower case
  address text not null check (length(address) between 3 and 320),
  primary key (booking_id, address)
);
