/** The door of billing: what somebody may, and room for one more. */

export {
  countBilling,
  exportBilling,
  findEntitlement,
  isBillingOn,
  listPlanNames,
  requireAllowance,
} from './billing.ts';
export { listPlans } from './store/plans.ts';
