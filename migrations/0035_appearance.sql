-- Colours and density go with the person from device to device.
alter table accounts.users
  add column theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  add column density text not null default 'comfortable' check (density in ('comfortable', 'compact'));
