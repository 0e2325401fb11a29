-- What a booking costs the database, that nothing needs.

-- A booking goes with its appointment, which is of the same person.
alter table booking.bookings drop constraint bookings_user_id_fkey;

-- Its appointment says whether its event type is still there; what is deleted is forgotten here as well. The appointment
-- was changed before by its own key, for which whoever books holds it: nobody can come between.
alter table booking.bookings drop constraint bookings_event_type_id_fkey;
create function booking.forget_types() returns trigger language plpgsql as $$
begin
  update booking.bookings set event_type_id = null where event_type_id in (select id from gone);
  return null;
end $$;
create trigger forget_types after delete on booking.event_types
  referencing old table as gone for each statement execute function booking.forget_types();

-- It is made of the id.
alter table booking.bookings drop constraint bookings_uid_key;

-- `bookings_by_appointment` finds the same.
drop index booking.bookings_to_remind;
