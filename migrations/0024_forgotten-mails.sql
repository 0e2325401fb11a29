-- The last mail to somebody whose account is gone: once it is sent, or given up, nothing of it stays.
alter table platform.mails add column forget boolean not null default false;

create function platform.forget_mail() returns trigger language plpgsql as $$
begin
  delete from platform.mails where id = new.id;
  return null;
end $$;
create trigger forget_mail after update on platform.mails
  for each row when (new.forget and new.settled_at is not null) execute function platform.forget_mail();
