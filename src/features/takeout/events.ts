/** Live-update topic: an export made progress or ended. */
export const exportTopic = 'export';
