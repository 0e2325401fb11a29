-- Addresses, and domains as @example.org, that cannot book or answer a form: of the install, and of one host.
alter table accounts.settings add column blocked_guests text[] not null default '{}' check (cardinality(blocked_guests) <= 500);
create table booking.blocked_guests (
  user_id uuid primary key references accounts.users (id) on delete cascade,
  entries text[] not null check (cardinality(entries) <= 500)
);
comment on column booking.blocked_guests.user_id is '@type UserId';
