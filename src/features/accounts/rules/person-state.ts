/** State of an account, for the operator. */
export const personStates = ['active', 'suspended', 'unverified', 'leaving'] as const;
export type PersonState = (typeof personStates)[number];
