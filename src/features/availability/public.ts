/** The door of availability: when people are open, and what of their events is a hold. */
export { exportAvailability } from './export-availability.ts';
export { followPolicy } from './follow-policy.ts';
export { dayBeforeMs, listOpenHours, openHoursReading } from './list-open-hours.ts';
export { readAvailability } from './read-availability.ts';
export { holdRulesReading, listHoldRules } from './store/hold-rules.ts';
export { dropMadeHolds, keepMadeHold, madeHoldsOf } from './store/made-holds.ts';
export { listPolicies } from './store/policies.ts';
