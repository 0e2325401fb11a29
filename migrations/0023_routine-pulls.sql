-- Handed out by the heartbeat, and nobody said that anything changed: the provider may be asked for less than its changes.
alter table sync.pulls add column routine boolean not null default false;
