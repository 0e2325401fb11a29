import { bindRoutes } from '#platform/routes.ts';
import { getBilling, listInvoicePage } from './billing.ts';
import { createCode, endCode, listCodesForAdmin, redeemCode } from './codes.ts';
import { billingContract } from './contract.ts';
import { changePlan, listPlansForAdmin } from './plans.ts';
import { changeSubscription, openPortal, refreshBilling, startCheckout } from './subscriptions.ts';
import { extendTrialOf, getTrial } from './trials.ts';

export const routes = bindRoutes(billingContract, {
  listPlans: ({ app }) => listPlansForAdmin(app),
  changePlan: async ({ app, actor, input, request }) => {
    await changePlan(app, actor, input.params.planKey, input.body, request);
    return listPlansForAdmin(app);
  },
  listAllInvoices: ({ app, input }) => listInvoicePage(app, input.query.before),
  findTrial: ({ app, input }) => getTrial(app, input.query.email),
  extendTrial: async ({ app, actor, input, request }) => {
    await extendTrialOf(app, actor, input.body, request);
    return getTrial(app, input.body.email);
  },
  listCodes: ({ app }) => listCodesForAdmin(app),
  createCode: async ({ app, actor, input, request }) => {
    await createCode(app, actor, input.body, request);
    return listCodesForAdmin(app);
  },
  endCode: async ({ app, actor, input, request }) => {
    await endCode(app, actor, input.body, request);
    return listCodesForAdmin(app);
  },
  redeemCode: async ({ app, actor, input, request }) => {
    await redeemCode(app, actor, input.body.code, request);
    return getBilling(app, actor.userId);
  },
  readBilling: ({ app, actor }) => getBilling(app, actor.userId),
  refreshBilling: async ({ app, actor }) => {
    await refreshBilling(app, actor.userId);
    return getBilling(app, actor.userId);
  },
  startCheckout: async ({ app, actor, input }) => ({
    url: await startCheckout(app, actor.userId, input.body.plan_key),
  }),
  openPortal: async ({ app, actor }) => ({ url: await openPortal(app, actor.userId) }),
  changeSubscription: async ({ app, actor, input }) => {
    await changeSubscription(app, actor.userId, { do: 'change', planKey: input.body.plan_key });
    return getBilling(app, actor.userId);
  },
  cancelSubscription: async ({ app, actor }) => {
    await changeSubscription(app, actor.userId, { do: 'cancel' });
    return getBilling(app, actor.userId);
  },
  keepSubscription: async ({ app, actor }) => {
    await changeSubscription(app, actor.userId, { do: 'keep' });
    return getBilling(app, actor.userId);
  },
});
