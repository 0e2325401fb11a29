/** The door of calendar: the event store and the busy index, for the features below. */
export { applyChanges } from './apply-changes.ts';
export { exportCalendars } from './export-calendars.ts';
export { loadViewer, type Viewer } from './load-viewer.ts';
export { readInstances } from './read-instances.ts';
export { partOf } from './rules/body-part.ts';
export { type EventView, notEditable, versionOf } from './rules/event-view.ts';
export type { HashedItem } from './rules/materialise.ts';
export { readEventId } from './rules/read-event-id.ts';
export { readRange } from './rules/read-range.ts';
export { showItem } from './show-item.ts';
export type { PlannedItem, StoredItem } from './store/items.ts';
export {
  clearPlanned,
  findBody,
  findItem,
  hasEvents,
  holdPlans,
  listItems,
  listLiveIds,
  listOwnItems,
  listPlaces,
  listRefs,
  listStored,
  listTitles,
  listUnplanned,
  readVersions,
  takePlans,
  unplanCalendars,
  unplanItems,
} from './store/items.ts';
export { listBusySpans, listViewSpans } from './store/spans.ts';
export { describeItems, listSearchable, listVersionsSince } from './store/texts.ts';
