-- Links that people keep lead on after the name of an event type or a form has changed. The latest former name first, at
-- most twenty; a name in use goes before a former one.
alter table booking.event_types add column former_slugs text[] not null default '{}' check (cardinality(former_slugs) <= 20);
alter table routing.forms add column former_slugs text[] not null default '{}' check (cardinality(former_slugs) <= 20);
