-- No attempt of a mail begins before, whatever becomes of the one that is under way; null: it is not delayed.
alter table platform.mails add column not_before timestamptz;
