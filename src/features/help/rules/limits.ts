/** Somebody in trouble writes a few times; a script does not get far. */
export const messagesPerPerson = { action: 'message to support, account', burst: 5, periodSeconds: 3_600 };
