-- The outbox: a mail is written in the transaction of the change that calls for it, and sent afterwards, at least once.
create table platform.mails (
  id uuid primary key,
  -- what the mail is about, given by whoever sends it: the same key twice is one mail
  key text not null unique,
  -- made from the key, so that whoever receives a mail twice can tell; without the angle brackets
  message_id text not null,
  -- feature.what, for counting and for allowances
  kind text not null,
  recipient text not null,
  user_id uuid,
  -- sealed JSON of content and calendar; gone once the mail needs no further attempt
  body text,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'bounced')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- no use in sending it later
  expires_at timestamptz not null,
  -- what the server said last, or why there was no attempt
  error text,
  created_at timestamptz not null default now(),
  -- when it came to its last state
  settled_at timestamptz,
  check (state not in ('queued', 'sending') or (body is not null and settled_at is null)),
  check (state in ('queued', 'sending') or settled_at is not null)
);
comment on column platform.mails.user_id is '@type UserId';
comment on column platform.mails.body is '@sealed';
create index mails_by_turn on platform.mails (next_attempt_at) where state in ('queued', 'sending');
create index mails_by_user on platform.mails (user_id, created_at) where user_id is not null;
create index mails_by_recipient on platform.mails (recipient, created_at);
create index mails_by_end on platform.mails (settled_at);
