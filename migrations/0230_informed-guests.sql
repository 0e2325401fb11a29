-- A guest whose invitation ended with a cancellation knows that the meeting does not take place.
alter table booking.lapsed_invitations add column informed boolean not null default false;
