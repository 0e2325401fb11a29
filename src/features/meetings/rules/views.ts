/** What the console shows and in which orders: said here, where the address is read, without what checks a call. */
export const scopes = ['upcoming', 'past', 'mirrors'] as const;
export const sorts = ['date', 'title', 'origin', 'health'] as const;
export const healths = ['failed', 'pending', 'synced', 'none'] as const;
export const statuses = ['created', 'pending', 'failed', 'skipped'] as const;
