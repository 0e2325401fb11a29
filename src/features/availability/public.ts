/** The door of availability: when people are open, and what of their events is a hold. */
export { findAbsence } from './absences.ts';
export { exportAvailability, getAvailability } from './availability.ts';
export { dayBeforeMs, listAway, listOpenHours, openHoursReading } from './open-hours.ts';
export { followPolicy } from './policies.ts';
export { holdRulesReading, listHoldRules } from './store/hold-rules.ts';
export { dropMadeHolds, keepMadeHold, madeHoldsOf } from './store/made-holds.ts';
export { listPolicies } from './store/policies.ts';
