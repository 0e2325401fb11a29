-- Since when somebody is suspended: they get in nowhere, and nothing is done for them until it ends.
alter table accounts.users add column suspended_at timestamptz;
-- When they last used Holdfast themselves; within some minutes.
alter table accounts.users add column last_active_at timestamptz;
update accounts.users u set last_active_at = (
  select max(s.last_seen_at) from accounts.sessions s where s.user_id = u.id);
create index users_by_words on accounts.users using gin ((email || ' ' || lower(coalesce(name, ''))) gin_trgm_ops);

-- A session that an administrator opened in the person's place; it ends with the one it was opened from.
alter table accounts.sessions add column opened_from uuid references accounts.sessions on delete cascade;
alter table accounts.sessions add column impersonator_id uuid references accounts.users on delete cascade;
alter table accounts.sessions add check ((opened_from is null) = (impersonator_id is null));
comment on column accounts.sessions.opened_from is '@type SessionId';
comment on column accounts.sessions.impersonator_id is '@type UserId';
create index sessions_opened_from on accounts.sessions (opened_from) where opened_from is not null;

-- Its person is suspended: nothing is read from it or written to it until that ends.
alter table connections.connections add column suspended boolean not null default false;
