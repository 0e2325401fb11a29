-- Failed edits that their provider would refuse again: no retry is offered.
alter table edits.edits add column refusal text;
comment on column edits.edits.refusal is 'Error code of the provider; null where a retry may work';
