-- What workflows speak with: accounts at services with their secrets, who may be written to, and what was sent.
create table workflows.credentials (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  kind text not null check (kind in ('twilio', 'sms-webhook', 'slack-webhook', 'slack-bot', 'crm-webhook', 'hubspot')),
  label text not null, -- what its person knows it by
  settings jsonb not null, -- what may be shown, features/workflows/rules/credential.ts
  secret text not null,
  simulated boolean not null,
  refused text, -- what the service said when it took the credential no more; null: it works
  created_ms bigint not null
);
comment on column workflows.credentials.id is '@type CredentialId';
comment on column workflows.credentials.user_id is '@type UserId';
comment on column workflows.credentials.secret is '@sealed';
create index credentials_by_user on workflows.credentials (user_id);

-- One for each run that spoke with a service: written before the call, so that one whose answer was lost is known.
create table workflows.deliveries (
  run_key text primary key, -- names the work: another one when somebody says to try again
  credential_id uuid not null references workflows.credentials on delete cascade,
  state text not null check (state in ('trying', 'done')),
  begun_ms bigint not null,
  reference text, -- what the service calls it
  status text, -- what the network said later
  error_code integer,
  unique (credential_id, reference) -- a message that is found again belongs to one run
);
comment on column workflows.deliveries.credential_id is '@type CredentialId';
create index deliveries_by_age on workflows.deliveries (begun_ms);

-- Text messages of one account in a month, counted up to its cap.
create table workflows.sms_months (
  credential_id uuid not null references workflows.credentials on delete cascade,
  month text not null, -- 2027-03, UTC
  used integer not null,
  primary key (credential_id, month)
);
comment on column workflows.sms_months.credential_id is '@type CredentialId';

-- Who may be sent text messages: never changed, the newest of a number counts.
create table workflows.consents (
  id bigint generated always as identity primary key,
  user_id uuid not null references accounts.users on delete cascade, -- whose messages they are
  phone text not null, -- E.164
  given boolean not null,
  -- booking: ticked while booking. own: the host's, from their profile. stated: the person says so. message: STOP or
  -- START. network: the service says that they want none
  source text not null check (source in ('booking', 'own', 'stated', 'message', 'network')),
  source_id text, -- of the booking or message
  at_ms bigint not null,
  unique (user_id, phone, source, source_id)
);
comment on column workflows.consents.user_id is '@type UserId';

-- What a CRM was told of a booking, so that an older state never follows a newer one.
create table workflows.crm_records (
  credential_id uuid not null references workflows.credentials on delete cascade,
  external_id text not null, -- uid of the booking
  sequence integer not null,
  busy_until_ms bigint not null, -- one writer at a time
  primary key (credential_id, external_id)
);
comment on column workflows.crm_records.credential_id is '@type CredentialId';
