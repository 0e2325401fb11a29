/** How an account stands, for whoever runs the install. */
export const personStates = ['active', 'suspended', 'unverified', 'leaving'] as const;
export type PersonState = (typeof personStates)[number];
