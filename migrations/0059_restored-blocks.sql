-- How often a block was changed by others and written again, and when last: it is written ever later, or two programs that
-- do not agree about it would never end.
alter table sync.mirrors
  add column restored smallint not null default 0,
  add column restored_at timestamptz;
