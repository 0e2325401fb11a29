/** Live-update topic: notices were added, ended or were read. */
export const inboxTopic = 'inbox';
