-- Names what somebody's open hours are made of, as a whole: another after every change. Who has read them before may take
-- them for read while it stands. Random, so that none comes back, not even with a backup. No row: never changed since then.
create table availability.revisions (
  user_id uuid primary key references accounts.users on delete cascade,
  revision uuid not null default gen_random_uuid()
);
comment on column availability.revisions.user_id is '@type UserId';

create function availability.revise() returns trigger language plpgsql as $$
begin
  -- of an account that is being removed nothing is left to be named
  insert into availability.revisions (user_id) select id from accounts.users where id in (old.user_id, new.user_id)
  on conflict (user_id) do update set revision = default;
  return null;
end $$;

-- Versions never change, and come with a change of their policy.
create trigger revise after insert or update or delete on availability.policies
  for each row execute function availability.revise();
create trigger revise after insert or update or delete on availability.defaults
  for each row execute function availability.revise();
create trigger revise after insert or update or delete on availability.days_off
  for each row execute function availability.revise();
create trigger revise after insert or update or delete on availability.travels
  for each row execute function availability.revise();
create trigger revise after insert or update or delete on availability.holidays
  for each row execute function availability.revise();
