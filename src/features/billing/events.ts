/** Live-update topic: a user's subscription or entitlement changed. */
export const billingTopic = 'billing';
