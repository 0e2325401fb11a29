-- Which events have somebody else in them is told by the text of their bodies (canonical JSON, in which a title cannot
-- hold this unescaped), so that nothing more is written for events that are read.
create index items_meetings on calendar.items (user_id, id)
  where provenance = 'foreign' and body like '%"attendees":[{%';

-- Instances of events, for those who show them in tables.
create view calendar.instances as
  select s.user_id, s.calendar_id, s.item_id, s.rec_id, s.start_ms, s.end_ms, s.all_day, i.title, i.recurring
  from calendar.items i
  join calendar.spans s on s.item_id = i.id
  where i.provenance = 'foreign';

-- Those with another attendee. An instance that was changed on its own is looked at by itself.
create view calendar.meetings as
  select s.user_id, s.calendar_id, s.item_id, s.rec_id, s.start_ms, s.end_ms, s.all_day, i.title, i.recurring
  from calendar.items i
  join calendar.spans s on s.item_id = i.id
  where i.provenance = 'foreign' and i.body like '%"attendees":[{%'
    and (s.rec_id = '' or i.body like '%"overrides":{}%' or json_array_length(coalesce(
      i.body::json #> array['overrides', s.rec_id, 'core'], i.body::json #> array['list', s.rec_id, 'core'],
      i.body::json -> 'core') -> 'attendees') > 0);

-- How the blocks of each origin stand.
create view sync.standings as
  select id, user_id, origin_item_id as item_id, rec_id, target_calendar_id, near_ms,
    case when state = 'deleting' then 'pending' else state end as state
  from sync.mirrors;

-- The words of an event and who is in it, for filters.
create view search.event_words as select user_id, item_id, text from search.documents;
create view search.event_people as select user_id, item_id, email from search.attendances;
