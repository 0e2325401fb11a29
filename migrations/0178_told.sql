-- What the people of a booking were last told of it. A change is told as the difference from that.
alter table booking.bookings add column told jsonb;

-- Changes of the last minutes may still have to be told.
update booking.bookings b set told = jsonb_build_object('state', b.state, 'startMs', a.start_ms, 'endMs', a.end_ms,
  'hostIds', to_jsonb(a.host_ids),
  'invited', exists (select from booking.audit n where n.booking_id = b.id and n.kind = 'confirmed'))
from booking.appointments a
where a.id = b.appointment_id and b.state in ('pending', 'confirmed')
  and not exists (select from booking.audit n
    where n.booking_id = b.id and n.at_ms > extract(epoch from now()) * 1000 - 600000);
