-- Use prolonged a session without end; now it ends 180 days after sign-in.
update accounts.sessions set expires_at = created_at + interval '180 days'
where expires_at > created_at + interval '180 days';
