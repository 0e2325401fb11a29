/** An office subscribes through one network. */
export const asksPerNetwork = { action: 'subscribe, network', burst: 20, periodSeconds: 3_600 };
/** Addresses of everybody together that need no work, and those of browsers that cannot do any. */
export const busySubscribing = {
  purpose: 'subscribe',
  quiet: { action: 'subscribe, without work', burst: 60, periodSeconds: 3_600 },
  plain: { action: 'subscribe, without script', burst: 20, periodSeconds: 3_600 },
};
/** Whoever asks in another's name cannot flood them. */
export const mailsPerSubscriber = { action: 'subscribe, address', burst: 3, periodSeconds: 86_400 };
/** The link in the mail lives as long as the mail may take to arrive and be read. */
export const confirmDays = 3;
