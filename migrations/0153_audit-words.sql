-- The words of a text, each once: what stands between anything else, of scripts without spaces each sign. The same as
-- features/accounts/rules/search-words.ts.
create function accounts.words_of(text text) returns tsvector immutable strict parallel safe language sql
  return array_to_tsvector(array_remove(regexp_split_to_array(
    regexp_replace(text, '([\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff])', ' \1 ', 'g'),
    '[^a-z0-9\u00c0-\u1fff\u2c00-\u2fff\u3040-\ud7af\uf900-\ufffd]+'), ''));

-- By word instead of by three letters: of ten million entries nearly all share the three letters of a number. Writing waits
-- while an index is made here, so a long audit keeps the old one until the job accounts.index-audit has made the new one beside it.
do $$ begin
  if (select coalesce(max(position), 0) from accounts.audit) < 200000 then
    create index audit_by_word on accounts.audit using gin (accounts.words_of(words));
    drop index accounts.audit_by_words;
  end if;
end $$;
