-- An API key ends. One that was made before gets the time that a new one gets by default.
alter table accounts.api_keys add column expires_at timestamptz not null default now() + interval '90 days';

-- A key made before the second factor proves less than a session does.
update accounts.api_keys k set revoked_at = now()
from accounts.users u
where u.id = k.user_id and u.mfa_enabled_at is not null and not k.second_factor and k.revoked_at is null;
