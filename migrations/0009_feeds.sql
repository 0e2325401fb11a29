-- A feed says how long it wants to be left alone: nobody who looks at a calendar makes it be read before.
alter table sync.pulls add column not_before timestamptz not null default 'epoch';
