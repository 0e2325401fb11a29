-- What a browser's note holds is used once, whatever it is for: the state of a journey, a challenge that was answered.
drop table access.spent_challenges;
alter table platform.oauth_states rename to spent;
alter table platform.spent rename column state_hash to hash;
alter table platform.spent rename constraint oauth_states_pkey to spent_pkey;
