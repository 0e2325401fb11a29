-- The cancellation policy and the questions of a booking, as its guest was told them (decision 0072).
alter table booking.bookings
  add column cancellation jsonb not null default '{"until_minutes": 0, "text": ""}',
  add column asked jsonb not null default '[]';

update booking.bookings b set
  cancellation = coalesce(t.settings -> 'cancellation', b.cancellation),
  asked = coalesce((
    select jsonb_agg(jsonb_build_object('id', q.one ->> 'id', 'label', q.one ->> 'label', 'kind', q.one ->> 'kind') order by q.n)
    from jsonb_array_elements(coalesce(t.settings -> 'questions', '[]')) with ordinality as q(one, n)
    where b.answers ? (q.one ->> 'id')), '[]')
from booking.event_types t
where t.id = b.event_type_id and b.state <> 'held';
