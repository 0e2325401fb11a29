/** The door of billing: what somebody may, and room for one more. */

export { countBilling } from './count-billing.ts';
export { demandAllowance } from './demand-allowance.ts';
export { exportBilling } from './export-billing.ts';
export { findEntitlement } from './find-entitlement.ts';
export { isBillingOn } from './is-billing-on.ts';
export { listPlanNames } from './list-plan-names.ts';
export { listPlans } from './store/plans.ts';
