create schema edits;

-- What a person wants changed, from intent to outcome: written before any call is made, claimed by whoever makes it.
create table edits.edits (
  id uuid primary key,
  seq bigint generated always as identity,
  user_id uuid not null references accounts.users on delete cascade,
  connection_id uuid not null references connections.connections on delete cascade, -- that the next step is written to
  kind text not null check (kind in ('create', 'change', 'delete')),
  state text not null default 'pending' check (state in ('pending', 'done', 'failed', 'conflict', 'undone')),
  calendar_id uuid not null, -- where it leads
  item_id uuid not null, -- of the event as it stands afterwards
  item_ids uuid[] not null, -- every item that it touches: edits of one item are written in their order
  title text not null,
  rec_id text not null default '', -- the instance that was edited, and its name afterwards
  rec_id_after text not null default '',
  tell_guests boolean not null,
  steps text not null, -- JSON: features/edits/rules/steps.ts
  step integer not null default 0, -- how many are done
  claim integer not null default 0, -- outcomes are taken under the newest only
  attempts integer not null default 0, -- of this step
  not_before_ms bigint not null default 0,
  message text, -- why it waits, failed or is in conflict
  theirs text, -- JSON: in a conflict, the body that stands now
  undone_by uuid, -- the edit that reverses it
  dismissed boolean not null default false,
  created_ms bigint not null,
  settled_ms bigint
);
comment on column edits.edits.id is '@type EditId';
comment on column edits.edits.user_id is '@type UserId';
comment on column edits.edits.connection_id is '@type ConnectionId';
comment on column edits.edits.calendar_id is '@type CalendarId';
comment on column edits.edits.item_id is '@type ItemId';
create index edits_by_user on edits.edits (user_id, seq);
create index edits_due on edits.edits (connection_id, seq) where state = 'pending';
create index edits_settled on edits.edits (settled_ms) where settled_ms is not null;
