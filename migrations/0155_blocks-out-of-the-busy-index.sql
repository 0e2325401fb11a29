-- A block of ours blocks nothing: its instances are expanded from the block itself when a screen shows them, and no longer
-- kept among those that are asked for free and busy time. Of twelve calendars that mirror each other they were eleven of
-- twelve rows.
delete from calendar.spans s using calendar.items i where i.id = s.item_id and i.provenance = 'own';
-- by start, those longer than 26 hours by themselves, so that the scan for what overlaps begins 26 hours earlier
create index items_blocks on calendar.items (calendar_id, starts_ms)
  where provenance = 'own' and not recurring and ends_ms - starts_ms <= 93600000;
create index items_long_blocks on calendar.items (calendar_id, starts_ms)
  where provenance = 'own' and not recurring and ends_ms - starts_ms > 93600000;
