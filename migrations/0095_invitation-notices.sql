-- Who is asked to join a team and has an account already is told where they look.
alter table inbox.notices drop constraint notices_kind_check;
alter table inbox.notices add constraint notices_kind_check check (kind in ('reconnect', 'stopped', 'calendar', 'breaker',
  'mirrors', 'conflict', 'edit', 'booking-moved', 'booking-deleted', 'booking-declined', 'booking-conflict',
  'booking-overbooked', 'stale', 'requested', 'booked', 'cancelled', 'invitation'));
