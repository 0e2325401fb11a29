-- How readings at providers end, summed by the hour; kept for a month. Several rows share an hour, so that those who read at
-- once do not wait for each other.
create table sync.call_sums (
  provider text not null,
  profile text not null,
  hour timestamptz not null,
  share smallint not null,
  answered bigint not null default 0,
  auth bigint not null default 0,
  limited bigint not null default 0,
  refused bigint not null default 0,
  silent bigint not null default 0,
  -- of those that were answered, by how long the provider took: rules/latency.ts says where a bucket ends
  latency bigint[] not null default array_fill(0::bigint, array[11]),
  last_at timestamptz not null default now(),
  primary key (provider, profile, hour, share)
) with (fillfactor = 70);

create index calendars_failing on connections.calendars (failures desc) where failures > 0;
