-- A foreign key looks its target up and locks it once for every row: half of what a new item or mirror cost, for batches
-- that all name the same calendar. These triggers say the same once per statement. Nobody ever moves a row to another
-- calendar, so updates need no check.

create function calendar.require_calendar() returns trigger language plpgsql as $$
declare
  wanted uuid[] := (select array_agg(distinct calendar_id) from added);
  found_rows integer;
begin
  perform from connections.calendars where id = any(wanted) order by id for key share;
  get diagnostics found_rows = row_count;
  if found_rows < cardinality(wanted) then
    raise foreign_key_violation using message = 'an item needs its calendar', schema = 'calendar', table = 'items';
  end if;
  return null;
end $$;
create trigger require_calendar after insert on calendar.items
  referencing new table as added for each statement execute function calendar.require_calendar();

create function calendar.drop_items() returns trigger language plpgsql as $$
begin
  delete from calendar.items where calendar_id in (select id from gone);
  return null;
end $$;
create trigger drop_items after delete on connections.calendars
  referencing old table as gone for each statement execute function calendar.drop_items();

alter table calendar.items drop constraint items_calendar_id_fkey;

create function sync.require_target() returns trigger language plpgsql as $$
declare
  wanted uuid[] := (select array_agg(distinct target_calendar_id) from added);
  found_rows integer;
begin
  perform from connections.calendars where id = any(wanted) order by id for key share;
  get diagnostics found_rows = row_count;
  if found_rows < cardinality(wanted) then
    raise foreign_key_violation using message = 'a mirror needs its target', schema = 'sync', table = 'mirrors';
  end if;
  return null;
end $$;
create trigger require_target after insert on sync.mirrors
  referencing new table as added for each statement execute function sync.require_target();

-- The ledger outlives its origins, never its targets: what stands there could not be removed any more.
create function sync.keep_targets() returns trigger language plpgsql as $$
begin
  if exists (select from sync.mirrors where target_calendar_id in (select id from gone)) then
    raise foreign_key_violation using message = 'blocks stand in this calendar', schema = 'sync', table = 'mirrors';
  end if;
  return null;
end $$;
create trigger keep_targets after delete on connections.calendars
  referencing old table as gone for each statement execute function sync.keep_targets();

alter table sync.mirrors drop constraint mirrors_target_calendar_id_fkey;
