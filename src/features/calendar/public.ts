/** The door of calendar: the event store and the busy index, for the features below. */
export { applyChanges } from './apply-changes.ts';
export { exportCalendars } from './export-calendars.ts';
export type { HashedItem } from './rules/materialise.ts';
export type { PlannedItem } from './store/items.ts';
export {
  clearPlanned,
  findBody,
  findByTitle,
  findItem,
  hasEvents,
  holdPlans,
  listItems,
  listLiveIds,
  listOwnItems,
  listPlaces,
  listRefs,
  listTitles,
  listUnplanned,
  readVersions,
  takePlans,
  unplanCalendars,
  unplanItems,
} from './store/items.ts';
export { listBusySpans } from './store/spans.ts';
export { describeItems, listSearchable, listVersionsSince } from './store/texts.ts';
