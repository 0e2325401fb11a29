-- Addresses that got mail before anybody showed to read them: how many since when, and whether their reader has stopped them.
create table platform.recipients (
  -- in the link that stops its mails
  id uuid primary key default gen_random_uuid(),
  -- in lower case, without the part after a plus sign
  mailbox text not null unique check (length(mailbox) between 3 and 320),
  mails int not null check (mails >= 0),
  since timestamptz not null default clock_timestamp(),
  stopped_at timestamptz
);
create index recipients_by_age on platform.recipients (since) where stopped_at is null;
