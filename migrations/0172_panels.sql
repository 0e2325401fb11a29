-- How many hosts who are needed a team's event type was given when somebody last chose them: whoever leaves the team is
-- gone from `booking.hosts` without a trace, and its owners are told that the panel is smaller than it was.
alter table booking.event_types add column panel integer;

update booking.event_types t
set panel = (select count(*) from booking.hosts h where h.event_type_id = t.id and not h.optional)
where t.team_id is not null;

alter table inbox.notices drop constraint notices_kind_check;
alter table inbox.notices add constraint notices_kind_check check (kind in ('reconnect', 'stopped', 'calendar', 'breaker',
  'mirrors', 'conflict', 'edit', 'booking-moved', 'booking-deleted', 'booking-declined', 'booking-conflict',
  'booking-overbooked', 'stale', 'requested', 'booked', 'cancelled', 'invitation', 'panel'));
