-- Push channels at providers that send notices of changes. A row stands before its provider is asked, so that a notice
-- which comes sooner than the answer is known.
create table sync.channels (
  id uuid primary key,
  calendar_id uuid not null references connections.calendars (id) on delete cascade,
  connection_id uuid not null references connections.connections (id) on delete cascade,
  state text not null check (state in ('opening', 'live', 'closing')),
  secret_hash bytea not null,
  ref text,
  resource text,
  opened_at timestamptz not null,
  renew_at timestamptz,
  expires_at timestamptz,
  noticed_at timestamptz
);
create index channels_by_calendar on sync.channels (calendar_id);
create index channels_by_connection on sync.channels (connection_id);
comment on column sync.channels.id is '@type ChannelId';
comment on column sync.channels.calendar_id is '@type CalendarId';
comment on column sync.channels.connection_id is '@type ConnectionId';

-- When a calendar was last read to its end, and when a channel for it may be asked for again.
alter table sync.pulls add column pulled_at timestamptz not null default 'epoch';
alter table sync.pulls add column push_after timestamptz not null default 'epoch';

alter table connections.calendars add column push_live boolean not null default false;
