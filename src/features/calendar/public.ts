/** The door of calendar: the event store and the busy index, for the features below. */
export { applyChanges, type CalendarOwner } from './apply-changes.ts';
export { exportCalendars } from './export-calendars.ts';
export { busyTimeReading, listTakenIn } from './list-taken.ts';
export { loadViewer, type Viewer } from './load-viewer.ts';
export { type ReadInstance, readInstances } from './read-instances.ts';
export { rereadItems } from './reread-items.ts';
export { partOf } from './rules/body-part.ts';
export { type EventView, notEditable, versionOf } from './rules/event-view.ts';
export type { HashedItem } from './rules/materialise.ts';
export { readEventId } from './rules/read-event-id.ts';
export { readRange } from './rules/read-range.ts';
export { readyUntil } from './rules/span-window.ts';
export { showItem } from './show-item.ts';
export type { PlannedItem, Standing, StoredItem } from './store/items.ts';
export {
  clearPlanned,
  findBody,
  findItem,
  hasEvents,
  holdPlans,
  listChangedSince,
  listItems,
  listLiveIds,
  listOwnItems,
  listPlaces,
  listRefs,
  listStanding,
  listStored,
  listTitles,
  listUnplanned,
  measureEvents,
  readVersions,
  takePlans,
  unplanCalendars,
  unplanItems,
} from './store/items.ts';
export { listViewSpans } from './store/spans.ts';
export { describeItems, listSearchable, listVersionsSince } from './store/texts.ts';
export { weighItems } from './weigh-items.ts';
