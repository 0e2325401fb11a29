export { listSubscribers } from './list-subscribers.ts';
