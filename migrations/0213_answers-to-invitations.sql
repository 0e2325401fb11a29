-- An answer to an invitation is an edit of its own kind.
alter table edits.edits drop constraint edits_kind_check;
alter table edits.edits add constraint edits_kind_check check (kind in ('create', 'change', 'delete', 'answer'));
