create schema help;

-- How far somebody is with the first steps, as far as nothing else tells: whether they copied a link, or want no list.
create table help.first_steps (
  user_id uuid primary key references accounts.users on delete cascade,
  copied_at timestamptz,
  skipped_at timestamptz
);
comment on column help.first_steps.user_id is '@type UserId';
