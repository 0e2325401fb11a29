-- Time that events of unwritten edits will take. Deleted when the edit is written or fails.
create table calendar.pending_spans (
  edit_id uuid not null references edits.edits (id) on delete cascade,
  user_id uuid not null references accounts.users (id) on delete cascade,
  calendar_id uuid not null references connections.calendars (id) on delete cascade,
  item_id uuid not null,
  rec_id text not null,
  start_ms bigint not null,
  end_ms bigint not null,
  all_day boolean not null,
  class text not null check (class in ('busy', 'soft')),
  rank smallint not null check (rank between 1 and 4),
  title text
);
create index pending_spans_by_user on calendar.pending_spans (user_id, start_ms);
create index pending_spans_by_edit on calendar.pending_spans (edit_id);
create index pending_spans_by_calendar on calendar.pending_spans (calendar_id);
comment on column calendar.pending_spans.edit_id is '@type EditId';
comment on column calendar.pending_spans.user_id is '@type UserId';
comment on column calendar.pending_spans.calendar_id is '@type CalendarId';
comment on column calendar.pending_spans.item_id is '@type ItemId';

-- Calendars that exist: settings of event types may name others.
create view connections.known as select id, user_id from connections.calendars;
