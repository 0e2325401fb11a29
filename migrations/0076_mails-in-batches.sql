-- Mails that are handed over together go out by one job: of 10,000 reminders each had one of its own.
alter table platform.mails add column batch uuid; -- those that are sent one after the other; null: by itself
create index mails_by_batch on platform.mails (batch) where state in ('queued', 'sending') and batch is not null;
-- What is sealed cannot be compressed: trying to took as long as writing it.
alter table platform.mails alter column body set storage external;
