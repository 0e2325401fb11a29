-- A label and addresses that a server has told are read with each event of its account. What is too long is cut.
update connections.connections
set label = left(label, 320),
  addresses = (
    select coalesce(array_agg(address order by n), '{}')
    from unnest(addresses[1:100]) with ordinality as told (address, n)
    where length(address) <= 320
  )
where length(label) > 320
  or cardinality(addresses) > 100
  or exists (select from unnest(addresses) as told (address) where length(address) > 320);

alter table connections.connections
  add constraint connections_label_check check (length(label) <= 320),
  add constraint connections_addresses_check check (cardinality(addresses) <= 100);

-- A calendar whose cursor is not kept is listed again.
update sync.pulls set cursor = null
where length(cursor) > 4100
  and connection_id in (select id from connections.connections where provider = 'caldav');

-- An object whose version is not kept is read again.
update calendar.items set version = ''
where length(version) > 1000
  and calendar_id in (
    select c.id from connections.calendars c join connections.connections a on a.id = c.connection_id
    where a.provider = 'caldav'
  );
