import type * as z from 'zod/mini';

/** News of a feature, as data in its `events.ts`: a name and what it carries. A message only says "look again". */
export interface Announcement<Payload> {
  readonly name: string;
  readonly payload: z.ZodMiniType<Payload>;
}

export function announcement<Payload>(name: string, payload: z.ZodMiniType<Payload>): Announcement<Payload> {
  return { name, payload };
}

/** One piece of news, to be announced together with others. */
export interface Said {
  readonly announcement: string;
  readonly payload: unknown;
}

export const newsOf = <Payload>({ name }: Announcement<Payload>, payload: Payload): Said => ({
  announcement: name,
  payload,
});
