-- Without a zone of its own, a calendar has the zone of its owner, also after they move.
alter table connections.calendars add column zone_named boolean not null default true;
