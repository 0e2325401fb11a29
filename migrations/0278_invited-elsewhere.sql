-- Accounts whose server tells no address know their owner by the confirmed address of their person. Events with invited people that
-- were read without it are read again, although their version is the same: the owner may have declined.
with again as (
  update calendar.items i set version = ''
  from connections.calendars c join connections.connections a on a.id = c.connection_id
  where c.id = i.calendar_id and a.provider = 'caldav' and cardinality(a.addresses) = 0 and i.gone_at is null
    and i.provenance = 'foreign' and i.body like '%"attendees"%'
  returning i.calendar_id
)
-- a calendar without a cursor is listed again
update sync.pulls p set cursor = null
from (select distinct calendar_id from again) c
where c.calendar_id = p.calendar_id and p.cursor is not null;
