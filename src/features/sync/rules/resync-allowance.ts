/** Resyncs of one event: once a minute, alone or among others. */
export const resyncAllowance = { action: 'resync of an event', burst: 1, periodSeconds: 60 };

export const resyncSubject = (userId: string, itemId: string) => `${userId} ${itemId}`;
