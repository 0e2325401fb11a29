/** What open browsers are told when what somebody pays for, or may, has changed. */
export const billingTopic = 'billing';
