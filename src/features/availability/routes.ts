import type { PolicyId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { addDaysOff, addTravel, removeAbsence, setHolidays } from './absences.ts';
import { getAvailability, removeHold, setHold } from './availability.ts';
import { availabilityContract } from './contract.ts';
import { listCountries } from './holidays.ts';
import { getOpenHours } from './open-hours.ts';
import {
  applyPolicy,
  cancelSwitch,
  createPolicy,
  deletePolicy,
  listPolicyVersions,
  rollBackPolicy,
  savePolicy,
} from './policies.ts';

/** Every change returns the whole availability. */
async function after(change: Promise<void>, app: App, actor: Actor) {
  await change;
  return getAvailability(app, actor);
}

export const routes = bindRoutes(availabilityContract, {
  readAvailability: ({ app, actor }) => getAvailability(app, actor),
  openHours: ({ app, actor, input }) => getOpenHours(app, actor, input.query),
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
