-- What a form's link led to is looked up by it, and a link that goes lets its bookings go on.
create index if not exists bookings_by_link on booking.bookings (link_id) where link_id is not null;

-- In a pool, why it was nobody else's turn: `{"<host>": "busy"}`, the kinds of a slot's reasons, `later` or `owner`.
alter table booking.appointments add column passed jsonb;
