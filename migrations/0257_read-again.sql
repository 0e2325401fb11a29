-- Events that an earlier version read otherwise than this one are read again, although their source says that they are unchanged:
-- floating events, whose length by DTEND was kept as elapsed time (decision 0092), and events in a time zone that was read as
-- another one (decision 0100).
with again as (
  update calendar.items i set version = ''
  from connections.calendars c join connections.connections a on a.id = c.connection_id
  where c.id = i.calendar_id and a.provider in ('caldav', 'ics') and i.gone_at is null and i.provenance = 'foreign'
    and (
      i.problem ~ '(zone-taken-for|zone-contradicts) '
      or case
        when i.body like '%"floating"%'
        then i.body::jsonb @? '$.** ? (@.kind == "floating" && exists(@.duration.seconds))'
      end
    )
  returning i.calendar_id, a.provider
)
-- A CalDAV calendar without a cursor is listed again, and a feed without validators is sent whole.
update sync.pulls p
set cursor = case when c.provider = 'ics' then (p.cursor::jsonb - 'etag' - 'lastModified')::text end
from (select distinct calendar_id, provider from again) c
where c.calendar_id = p.calendar_id and p.cursor is not null;
