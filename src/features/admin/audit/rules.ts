/** No filter of the audit. */
export const everything = {
  actorId: null,
  bySystem: null,
  action: null,
  subjectId: null,
  text: null,
  fromMs: null,
  toMs: null,
  before: null,
} as const;
