/** What open browsers are told when an export has come further. */
export const exportTopic = 'export';
