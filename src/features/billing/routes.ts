import { bindRoutes } from '#platform/routes.ts';
import { changePlan } from './change-plan.ts';
import { changeSubscription } from './change-subscription.ts';
import { billingContract } from './contract.ts';
import { createCode } from './create-code.ts';
import { endCode } from './end-code.ts';
import { extendTrialOf } from './extend-trial-of.ts';
import { findTrialOf } from './find-trial-of.ts';
import { openPortal } from './open-portal.ts';
import { pageInvoices } from './page-invoices.ts';
import { readBilling } from './read-billing.ts';
import { redeemCode } from './redeem-code.ts';
import { refreshBilling } from './refresh-billing.ts';
import { showPlans } from './show-plans.ts';
import { startCheckout } from './start-checkout.ts';
import { viewCodes } from './view-codes.ts';

export const routes = bindRoutes(billingContract, {
  listPlans: ({ app }) => showPlans(app),
  changePlan: async ({ app, actor, input, request }) => {
    await changePlan(app, actor, input.params.planKey, input.body, request);
    return showPlans(app);
  },
  listAllInvoices: ({ app, input }) => pageInvoices(app, input.query.before),
  findTrial: ({ app, input }) => findTrialOf(app, input.query.email),
  extendTrial: async ({ app, actor, input, request }) => {
    await extendTrialOf(app, actor, input.body, request);
    return findTrialOf(app, input.body.email);
  },
  listCodes: ({ app }) => viewCodes(app),
  createCode: async ({ app, actor, input, request }) => {
    await createCode(app, actor, input.body, request);
    return viewCodes(app);
  },
  endCode: async ({ app, actor, input, request }) => {
    await endCode(app, actor, input.body, request);
    return viewCodes(app);
  },
  redeemCode: async ({ app, actor, input, request }) => {
    await redeemCode(app, actor, input.body.code, request);
    return readBilling(app, actor.userId);
  },
  readBilling: ({ app, actor }) => readBilling(app, actor.userId),
  refreshBilling: async ({ app, actor }) => {
    await refreshBilling(app, actor.userId);
    return readBilling(app, actor.userId);
  },
  startCheckout: async ({ app, actor, input }) => ({
    url: await startCheckout(app, actor.userId, input.body.plan_key),
  }),
  openPortal: async ({ app, actor }) => ({ url: await openPortal(app, actor.userId) }),
  changeSubscription: async ({ app, actor, input }) => {
    await changeSubscription(app, actor.userId, { do: 'change', planKey: input.body.plan_key });
    return readBilling(app, actor.userId);
  },
  cancelSubscription: async ({ app, actor }) => {
    await changeSubscription(app, actor.userId, { do: 'cancel' });
    return readBilling(app, actor.userId);
  },
  keepSubscription: async ({ app, actor }) => {
    await changeSubscription(app, actor.userId, { do: 'keep' });
    return readBilling(app, actor.userId);
  },
});
