-- The oldest time zone data (tz database, '2026e') that stored instants may have been computed with, and how far they have
-- been computed with newer data since. One row. '' is older than any.
create table calendar.zone_data (
  id boolean primary key default true check (id),
  version text not null,
  -- a walk through the items: the data it computes with, and the last item it has done
  next_version text,
  done_to uuid
);
comment on column calendar.zone_data.done_to is '@type ItemId';
insert into calendar.zone_data (version) values ('');
