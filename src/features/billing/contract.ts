/**
 * Owns: plans, what each person pays for, and the one rule of what they may add.
 * Announces: nothing; open browsers hear the topic billing, and people get a mail of what changes for them.
 * Never: takes money or a card itself; removes anything of anybody's because they pay less.
 */
import { endpoint } from '#kernel/contract.ts';
import { adminEndpoints } from './rules/admin-endpoints.ts';
import { addressShape, billingShape, planChoice } from './rules/billing-shapes.ts';
import { codeEndpoints } from './rules/code-endpoints.ts';

export const billingContract = {
  ...adminEndpoints,
  ...codeEndpoints,
  readBilling: endpoint({
    method: 'GET',
    path: '/api/billing',
    auth: 'user',
    summary: 'What the caller pays for and may, what else is on offer, and their invoices, the newest first',
    output: billingShape,
  }),
  refreshBilling: endpoint({
    method: 'POST',
    path: '/api/billing/refresh',
    auth: 'user',
    summary: 'The same, after Stripe was asked: for whoever comes back from paying',
    output: billingShape,
    errors: ['BILLING_OFF'],
    requestsPerMinute: 60,
  }),
  startCheckout: endpoint({
    method: 'POST',
    path: '/api/billing/checkout',
    auth: 'user',
    summary: 'The address at which a plan is paid for; days of the trial that are left stay free',
    body: planChoice,
    output: addressShape,
    errors: ['BILLING_OFF', 'CARD_DECLINED', 'NOT_ON_OFFER', 'SUBSCRIBED'],
    requestsPerMinute: 60,
  }),
  openPortal: endpoint({
    method: 'POST',
    path: '/api/account/billing/portal',
    auth: 'user',
    summary: 'The address at which the caller sees their cards and invoices',
    output: addressShape,
    errors: ['BILLING_OFF', 'CARD_DECLINED'],
    requestsPerMinute: 60,
  }),
  changeSubscription: endpoint({
    method: 'PUT',
    path: '/api/billing/subscription',
    auth: 'user',
    summary: 'Another plan: more is paid at once or nothing changes, less lowers the next invoice. Nothing is removed',
    body: planChoice,
    output: billingShape,
    errors: ['BILLING_OFF', 'CARD_DECLINED', 'NOT_ON_OFFER', 'NOT_SUBSCRIBED'],
    requestsPerMinute: 60,
  }),
  cancelSubscription: endpoint({
    method: 'POST',
    path: '/api/billing/subscription/cancellation',
    auth: 'user',
    summary: 'End the subscription with the period that is paid for. What is there stays',
    output: billingShape,
    errors: ['BILLING_OFF', 'CARD_DECLINED', 'NOT_SUBSCRIBED', 'NOT_ON_OFFER'],
    requestsPerMinute: 60,
  }),
  keepSubscription: endpoint({
    method: 'DELETE',
    path: '/api/billing/subscription/cancellation',
    auth: 'user',
    summary: 'Take that back, while the period lasts',
    output: billingShape,
    errors: ['BILLING_OFF', 'CARD_DECLINED', 'NOT_SUBSCRIBED', 'NOT_ON_OFFER'],
    requestsPerMinute: 60,
  }),
};
