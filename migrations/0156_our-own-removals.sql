-- A block that is wanted again may have been removed by us before, with an answer that got lost: where it is found gone
-- then, it was not its calendar's owner who deleted it.
alter table sync.mirrors add column removal_tried boolean not null default false;
