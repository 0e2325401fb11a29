-- A block's body is JSON that we wrote ourselves and only give back, as in calendar.items: reading it again to say that it
-- is JSON was a fifth of what an intent cost.
alter table sync.mirrors alter column desired type text using desired::text;

-- Whether a span is long follows from two numbers beside it: as a stored column it was an eighth of what a span cost.
drop index calendar.spans_short;
drop index calendar.spans_long;
alter table calendar.spans drop column long;
-- longer than 26 h: kept out of the main index, so that its range scan can be bounded by the longest short span
create index spans_short on calendar.spans (user_id, start_ms, end_ms) include (calendar_id, class)
  where end_ms - start_ms <= 93600000;
create index spans_long on calendar.spans (user_id, end_ms) where end_ms - start_ms > 93600000;
