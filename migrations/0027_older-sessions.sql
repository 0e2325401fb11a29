-- Sessions from before proofs were dated (0015) were dated by the upgrade itself: whoever held an old one could change the
-- password of its account for ten minutes. They were proved when they were opened.
update accounts.sessions set authenticated_at = created_at where authenticated_at > created_at;
