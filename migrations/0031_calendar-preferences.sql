-- How a person has their calendar drawn.
alter table accounts.users
  add column weekends boolean not null default true,
  add column week_numbers boolean not null default false,
  -- zones whose hours stand beside those of their own
  add column more_zones text[] not null default '{}' check (cardinality(more_zones) <= 2);
