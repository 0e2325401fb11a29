/** The door of pending: the time of events that their calendar has not taken yet. */
export { listPending } from '../store/pending-spans.ts';
export { dropPendingTime, keepPendingTime } from './pending-time.ts';
