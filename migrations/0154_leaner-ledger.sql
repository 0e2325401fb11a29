-- Whoever asks for the blocks of an event knows whose it is: one index finds both them and all of a person's.
create index mirrors_by_origin on sync.mirrors (user_id, origin_item_id);
drop index sync.mirrors_by_user;
drop index sync.mirrors_by_item;
