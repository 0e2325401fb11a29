/** For how many days a key may be good, and what is offered first. */
export const keyDays = [30, 90, 180, 365] as const;
export const usualKeyDays = 90;

export type KeyDays = (typeof keyDays)[number];
