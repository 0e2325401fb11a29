-- The meetings that a calendar's events can have, as its provider tells; null: it does not tell.
alter table connections.calendars
  add column conferences text[] check (conferences <@ array['google-meet', 'teams']);
