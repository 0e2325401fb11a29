import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/harness/law-budget.ts';
import { provesQuiet, type TagState, tagAfter } from './calendar-tag.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

type Step =
  | { do: 'change'; content: number }
  | { do: 'wait'; ms: number }
  | { do: 'round'; routine: boolean; meanwhile: number | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('change' as const), content: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 9_000 }) }),
  fc.record({
    do: fc.constant('round' as const),
    routine: fc.boolean(),
    /** Changes of the calendar between the request for its tag and the report. */
    meanwhile: fc.option(fc.integer({ min: 0, max: 2 })),
  }),
);

/** How servers make their ctag: from what stands there, from the number of changes, from the second of the last one. */
const tagOf = {
  contents: (server: Server) => `${server.content}`,
  revisions: (server: Server) => `${server.revision}`,
  seconds: (server: Server) => `${Math.floor(server.changedMs / 1000)}`,
};

interface Server {
  content: number;
  revision: number;
  changedMs: number;
}

test.each(Object.entries(tagOf))('a CTag made of %s never hides a change', (_, ctagOf) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const server: Server = { content: 0, revision: 0, changedMs: 0 };
      let nowMs = 1_000_000;
      let held = { content: 0, token: 0, tag: undefined as TagState | undefined };
      const change = (content: number) => {
        if (content === server.content) return;
        Object.assign(server, { content, revision: server.revision + 1, changedMs: nowMs });
      };
      for (const next of steps) {
        if (next.do === 'change') change(next.content);
        else if (next.do === 'wait') nowMs += next.ms;
        else {
          const asked = next.routine && held.tag !== 'useless' ? ctagOf(server) : undefined;
          if (asked !== undefined && provesQuiet(held.tag, asked, nowMs)) {
            expect(held.content).toBe(server.content);
            continue;
          }
          if (next.meanwhile !== null) change(next.meanwhile);
          const sameToken = held.token === server.revision;
          const tag = tagAfter(held.tag, asked, { sameToken, nowMs });
          held = { content: server.content, token: server.revision, tag };
        }
      }
    }),
    { numRuns: runs(2_000) },
  );
});

test('a cursor with any characters is read back as it was written', () => {
  const text = fc.string({ minLength: 1, unit: 'binary' });
  const ms = fc.integer({ min: 0, max: 4_000_000_000_000 });
  const tag = fc.option(
    fc.oneof(fc.constant('useless' as const), fc.record({ ctag: text, firstSeenMs: ms, provenMs: fc.option(ms) })),
    { nil: undefined },
  );
  fc.assert(
    fc.property(text, tag, (token, known) => {
      const cursor = { kind: 'token' as const, token, ...(known === undefined ? {} : { tag: known }) };
      expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
    }),
  );
});
