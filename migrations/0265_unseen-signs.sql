-- Texts from before signs that turn or hide text were removed when a text is stored. Joiners and tags stay, because letters
-- and flags need some of them. A name with nothing left gets the text that stands for it elsewhere.
create function pg_temp.shown(value text) returns text language sql immutable as $$
  select regexp_replace(value,
    '[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]',
    '', 'g')
$$;
create function pg_temp.shown_name(value text, instead text) returns text language sql immutable as $$
  select coalesce(nullif(btrim(pg_temp.shown(value)), ''), instead)
$$;

update accounts.users
set name = pg_temp.shown_name(name, null), company = pg_temp.shown_name(company, null), phone = pg_temp.shown_name(phone, null)
where concat(name, company, phone) <> pg_temp.shown(concat(name, company, phone));

update teams.teams
set name = pg_temp.shown_name(name, '–'), about = pg_temp.shown(about)
where concat(name, about) <> pg_temp.shown(concat(name, about));

update routing.forms
set name = pg_temp.shown_name(name, slug), description = pg_temp.shown(description),
  definition = pg_temp.shown(definition::text)::jsonb
where concat(name, description, definition::text) <> pg_temp.shown(concat(name, description, definition::text));

update routing.submissions
set name = pg_temp.shown_name(name, email), phone = pg_temp.shown_name(phone, null),
  answers = pg_temp.shown(answers::text)::jsonb, said = pg_temp.shown(said::text)::jsonb
where concat(name, phone, answers::text, said::text) <> pg_temp.shown(concat(name, phone, answers::text, said::text));

update booking.event_types
set title = pg_temp.shown_name(title, slug), description = pg_temp.shown(description),
  settings = pg_temp.shown(settings::text)::jsonb
where concat(title, description, settings::text) <> pg_temp.shown(concat(title, description, settings::text));

update booking.appointments
set title = pg_temp.shown_name(title, '–'), location = pg_temp.shown(location::text)::jsonb
where concat(title, location::text) <> pg_temp.shown(concat(title, location::text));

update booking.bookings
set guest_name = pg_temp.shown_name(guest_name, guest_email), guest_phone = pg_temp.shown_name(guest_phone, null),
  reason = pg_temp.shown_name(reason, null), answers = pg_temp.shown(answers::text)::jsonb,
  asked = pg_temp.shown(asked::text)::jsonb, cancellation = pg_temp.shown(cancellation::text)::jsonb
where concat(guest_name, guest_phone, reason, answers::text, asked::text, cancellation::text)
  <> pg_temp.shown(concat(guest_name, guest_phone, reason, answers::text, asked::text, cancellation::text));
