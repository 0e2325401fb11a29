-- Few mails are refused: the pages of bookings ask whose they were.
create index mails_by_refused_reader on platform.mails (recipient) where state in ('failed', 'bounced');
