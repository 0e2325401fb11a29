/** Scopes and orders of the console. The address reads them, so this file imports no schema. */
export const scopes = ['upcoming', 'past', 'mirrors'] as const;
export const sorts = ['date', 'title', 'origin', 'health'] as const;
export const healths = ['failed', 'pending', 'synced', 'none'] as const;
export const statuses = ['created', 'pending', 'failed', 'skipped'] as const;
