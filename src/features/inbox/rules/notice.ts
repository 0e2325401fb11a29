import type * as z from 'zod/mini';
import type { noticeDetails, noticeKinds } from '../contract.ts';

/** Something that is so, whether or not there is a row about it. */
export interface Fact {
  kind: (typeof noticeKinds)[number];
  subject: string;
  details: z.output<typeof noticeDetails>;
}
