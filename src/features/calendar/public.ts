/** The door of calendar: the event store and the busy index, for the features below. */
export { applyChanges } from './apply-changes.ts';
export type { CalendarOwner } from './apply-changes.ts';
export {
  clearPlanned,
  findByTitle,
  findItem,
  listItems,
  listOwnItems,
  listRefs,
  listLiveIds,
  listTitles,
  listUnplanned,
  markGone,
  readVersions,
  unplanCalendars,
  unplanItems,
} from './store/items.ts';
export type { PlannedItem } from './store/items.ts';
export { listBusySpans } from './store/spans.ts';
export type { BusySpan } from './store/spans.ts';
