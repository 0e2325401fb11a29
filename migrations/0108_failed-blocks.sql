-- Counted at every scrape of /metrics.
create index mirrors_failed on sync.mirrors (target_connection_id) where state = 'failed';
