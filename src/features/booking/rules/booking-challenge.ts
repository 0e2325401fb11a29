import * as z from 'zod/mini';

/** Half of so many hashes on average: about a second of a phone, and nothing that a person has to do. */
export const mostTries = 60_000;

/** Purpose of the key that signs challenges. */
export const challengeKey = 'booking challenges';

/** Signed fields are ours only once their signature is checked; the algorithm is no choice of the sender. */
const solutionShape = z.strictObject({
  algorithm: z.literal('SHA-256'),
  challenge: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  number: z.int().check(z.gte(0), z.lte(mostTries)),
  salt: z.string().check(z.maxLength(200)),
  signature: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

/** A solution as a browser sends it; null for anything else. */
export function readSolution(text: string): z.output<typeof solutionShape> | null {
  try {
    return z.decode(solutionShape, JSON.parse(text) as z.input<typeof solutionShape>);
  } catch {
    return null;
  }
}
