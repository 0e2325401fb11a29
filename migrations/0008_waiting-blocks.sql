-- A block may only be narrowed or removed once what takes its place stands: set with the intent, kept by the writer.
alter table sync.mirrors add column waits boolean not null default false;
