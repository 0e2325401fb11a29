-- Somebody has to be told before this person goes: whoever tells them takes the row away.
create table accounts.farewells (
  user_id uuid primary key references accounts.users on delete cascade
);
comment on column accounts.farewells.user_id is '@type UserId';

-- In the statement by which a person begins to leave: no job of theirs could be late then.
create function booking.hold_leaver() returns trigger language plpgsql as $$
begin
  insert into accounts.farewells (user_id)
  select new.id where exists (
    select from booking.bookings b where b.user_id = new.id and b.state in ('awaiting-mail', 'pending', 'confirmed'))
  on conflict do nothing;
  return null;
end $$;
create trigger hold_leaver after update of leaving_at on accounts.users
  for each row when (old.leaving_at is null and new.leaving_at is not null) execute function booking.hold_leaver();
