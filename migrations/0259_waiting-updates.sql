-- Readers who hold an invitation whose last change waits, as their follow-ups of the day are used up.
create table booking.waiting_updates (
  booking_id uuid not null references booking.bookings on delete cascade,
  -- in lower case
  address text not null check (length(address) between 3 and 320),
  -- the version of the booking that the reader was told of
  holds jsonb not null,
  -- when it is tried again, epoch ms
  next_ms bigint not null,
  primary key (booking_id, address)
);
create index waiting_updates_next_idx on booking.waiting_updates (next_ms);
