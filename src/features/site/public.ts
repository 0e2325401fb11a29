export { listSubscribers } from './subscriptions.ts';
