-- Which links of forms were booked at, for routing to look through what came in.
create view booking.routed as
  select distinct b.link_id from booking.bookings b where b.link_id is not null and b.state <> 'held';
