-- A booking with several hosts has the same guests for each of them.
alter table contacts.guests drop constraint guests_pkey;
alter table contacts.guests add constraint guests_pkey primary key (booking_id, user_id, address);
