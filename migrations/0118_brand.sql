-- How the operator calls their install and how it looks: one row. What is null is as Holdfast itself has it.
create table platform.brand_pictures (
  file text primary key check (file ~ '^[a-z0-9]{32}$'), -- part of the hash of what it shows
  width integer not null check (width between 1 and 480),
  height integer not null check (height between 1 and 96),
  logo bytea not null check (octet_length(logo) <= 262144), -- PNG, made anew of what was uploaded
  icon bytea not null check (octet_length(icon) <= 1048576), -- the same on a white square
  used_at timestamptz not null default now() -- when it was uploaded, or taken away
);

create table platform.brand (
  only_one boolean primary key default true check (only_one),
  version integer not null default 0, -- another one with every change
  name text check (length(name) between 1 and 40),
  color text check (color ~ '^#[0-9a-f]{6}$'),
  logo text references platform.brand_pictures,
  dark_logo text references platform.brand_pictures -- on dark ground, where the other cannot be seen
);
insert into platform.brand default values;
