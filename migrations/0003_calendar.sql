create schema calendar;

-- One row per event or series with its overrides, as the provider has it.
create table calendar.items (
  id uuid primary key,
  calendar_id uuid not null references connections.calendars on delete cascade,
  user_id uuid not null, -- goes with its calendar
  ref text not null, -- CalDAV href, Google or Graph event id
  uid text,
  version text not null, -- ETag or changeKey
  provenance text not null check (provenance in ('foreign', 'own')),
  body json not null, -- kernel/event.ts EventBody; json, for it is only kept and given back, at two thirds of the cost
  hash text not null, -- of everything in the body that can influence a mirror
  title text,
  -- bounds in epoch ms over all instances; ends_ms null = endless
  starts_ms bigint,
  ends_ms bigint,
  recurring boolean not null default false,
  problem text, -- withheld, too dense, or what was mended
  gone_at timestamptz, -- the provider says it is gone; purged once the planner has dealt with it
  updated_at timestamptz not null default now(),
  unique (calendar_id, ref)
);
comment on column calendar.items.id is '@type ItemId';
comment on column calendar.items.calendar_id is '@type CalendarId';
comment on column calendar.items.user_id is '@type UserId';
create index items_with_problem on calendar.items (calendar_id) where problem is not null;
create index items_recurring on calendar.items (calendar_id) where recurring and gone_at is null;

-- Items whose present state the mirror planner has not seen: the one mechanism by which changes reach it. `version`
-- counts changes, so that a plan made from an older state does not take a newer one off the list.
create table calendar.unplanned (
  item_id uuid primary key,
  user_id uuid not null,
  version integer not null default 1
);
comment on column calendar.unplanned.item_id is '@type ItemId';
comment on column calendar.unplanned.user_id is '@type UserId';
create index unplanned_by_user on calendar.unplanned (user_id, item_id);

-- Busy index and unified view: every instance inside the rolling window. Numbers are epoch ms (decision 0005).
create table calendar.spans (
  user_id uuid not null,
  calendar_id uuid not null,
  item_id uuid not null,
  rec_id text not null, -- '' for a single event
  start_ms bigint not null,
  end_ms bigint not null,
  all_day boolean not null,
  class text not null check (class in ('busy', 'soft', 'free', 'ignore')),
  -- longer than 26 h: kept out of the main index, so that its range scan can be bounded by the longest short span
  long boolean not null generated always as (end_ms - start_ms > 93600000) stored
);
comment on column calendar.spans.user_id is '@type UserId';
comment on column calendar.spans.calendar_id is '@type CalendarId';
comment on column calendar.spans.item_id is '@type ItemId';
create index spans_by_item on calendar.spans (item_id);
create index spans_short on calendar.spans (user_id, start_ms, end_ms) include (calendar_id, class) where not long;
create index spans_long on calendar.spans (user_id, end_ms) where long;

-- What hangs on an item goes with it. A foreign key would do the same and cost a look-up for each of a series' instances;
-- whoever replaces spans holds the item's row lock, so that two cannot write the same ones.
create function calendar.drop_dependents() returns trigger language plpgsql as $$
begin
  delete from calendar.spans where item_id in (select id from gone);
  delete from calendar.unplanned where item_id in (select id from gone);
  return null;
end $$;
create trigger drop_dependents after delete on calendar.items
  referencing old table as gone for each statement execute function calendar.drop_dependents();
