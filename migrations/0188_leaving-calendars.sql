-- When the events of a calendar that its account no longer lists leave: after the grace, or sooner where its person says so.
alter table connections.calendars add column leaves_at timestamptz;
update connections.calendars set leaves_at = removed_at + interval '6 hours' where removed_at is not null;
alter table connections.calendars
  add constraint calendars_leaves_check check ((removed_at is null) = (leaves_at is null));

create or replace view connections.uncounted as
  select id, user_id from connections.calendars where not include_in_unified or leaves_at < now();

-- What the last reading had to say about the calendar as a whole, not about one event.
alter table connections.calendars add column warnings text[] default '{}' not null;
