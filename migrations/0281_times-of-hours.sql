-- Time ranges and dates of a version, which bound the hours that one statement reads.
alter table availability.versions add column times integer not null generated always as (
  coalesce(jsonb_array_length(hours -> 'overrides'), 0)
  + jsonb_array_length(jsonb_path_query_array(hours, '$.overrides[*].intervals[*]'))
  + jsonb_array_length(jsonb_path_query_array(hours, '$.weekly.*.intervals[*]'))) stored;
