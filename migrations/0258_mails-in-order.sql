-- The things that a mail tells of: a reader gets mails about the same thing in the order in which they were written.
alter table platform.mails add column about text[];
create index mails_waiting_by_recipient on platform.mails (recipient) where state in ('queued', 'sending');
