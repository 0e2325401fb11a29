import type { PolicyId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { addDaysOff } from './add-days-off.ts';
import { addTravel } from './add-travel.ts';
import { applyPolicy } from './apply-policy.ts';
import { cancelSwitch } from './cancel-switch.ts';
import { availabilityContract } from './contract.ts';
import { createPolicy } from './create-policy.ts';
import { deletePolicy } from './delete-policy.ts';
import { listCountries } from './list-holidays.ts';
import { listPolicyVersions } from './list-policy-versions.ts';
import { readAvailability } from './read-availability.ts';
import { readOpenHours } from './read-open-hours.ts';
import { removeAbsence } from './remove-absence.ts';
import { removeHold } from './remove-hold.ts';
import { rollBackPolicy } from './roll-back-policy.ts';
import { savePolicy } from './save-policy.ts';
import { setHold } from './set-hold.ts';
import { setHolidays } from './set-holidays.ts';

/** What is changed is answered with how all of it stands now. */
async function after(change: Promise<void>, app: App, actor: Actor) {
  await change;
  return readAvailability(app, actor);
}

export const routes = bindRoutes(availabilityContract, {
  readAvailability: ({ app, actor }) => readAvailability(app, actor),
  openHours: ({ app, actor, input }) => readOpenHours(app, actor, input.query),
  createPolicy: ({ app, actor, input }) => after(createPolicy(app, actor, input.body), app, actor),
  savePolicy: ({ app, actor, input }) =>
    after(savePolicy(app, actor, input.params.policyId as PolicyId, input.body), app, actor),
  listVersions: ({ app, actor, input }) => listPolicyVersions(app, actor, input.params.policyId as PolicyId),
  applyPolicy: ({ app, actor, input }) =>
    after(applyPolicy(app, actor, input.params.policyId as PolicyId, input.body.from), app, actor),
  cancelSwitch: ({ app, actor, input }) => after(cancelSwitch(app, actor, input.params.from), app, actor),
  rollBackPolicy: ({ app, actor, input }) =>
    after(rollBackPolicy(app, actor, input.params.policyId as PolicyId, input.body), app, actor),
  deletePolicy: ({ app, actor, input }) =>
    after(deletePolicy(app, actor, input.params.policyId as PolicyId), app, actor),
  addDaysOff: ({ app, actor, input }) => after(addDaysOff(app, actor, input.body), app, actor),
  removeDaysOff: ({ app, actor, input }) => after(removeAbsence(app, actor, 'days_off', input.params.id), app, actor),
  addTravel: ({ app, actor, input }) => after(addTravel(app, actor, input.body), app, actor),
  removeTravel: ({ app, actor, input }) => after(removeAbsence(app, actor, 'travels', input.params.id), app, actor),
  listHolidayCountries: async () => ({ countries: await listCountries() }),
  setHolidays: ({ app, actor, input }) => after(setHolidays(app, actor, input.body), app, actor),
  setHold: ({ app, actor, input }) => after(setHold(app, actor, input.body), app, actor),
  removeHold: ({ app, actor, input }) => after(removeHold(app, actor, input.params.id), app, actor),
});
