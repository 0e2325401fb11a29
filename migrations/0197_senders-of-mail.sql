-- How many of a mailbox's mails each sender caused since then: no sender may use up all of them.
alter table platform.recipients add column senders jsonb not null default '{}';
