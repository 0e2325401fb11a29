-- A calendar that can be read but refuses what is written to it: why, in words for its person, until a write succeeds.
alter table connections.calendars add column write_error_code text;
alter table connections.calendars add column write_error_message text;
