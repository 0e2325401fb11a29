/** An office subscribes through one network. */
export const asksPerNetwork = { action: 'subscribe, network', burst: 20, periodSeconds: 3_600 };
/** Whoever asks in another's name cannot flood them. */
export const mailsPerSubscriber = { action: 'subscribe, address', burst: 3, periodSeconds: 86_400 };
/** The link in the mail lives as long as the mail may take to arrive and be read. */
export const confirmDays = 3;
