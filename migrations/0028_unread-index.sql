-- Nothing is looked up by it: what an address may get is counted in platform.limits.
drop index platform.mails_by_recipient;
