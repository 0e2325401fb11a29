-- A feed has room for a number of events and bytes. The settings screen says that the last reading was incomplete.
alter table calendar.published_feeds add column is_cut boolean not null default false;
