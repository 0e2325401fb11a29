import { describe, expect, it } from 'vitest';
import type { App } from '#platform/app.ts';
import { type Action, actionShape, type PerformedRun, type RenderedAction } from '../rules/action.ts';
import { performStep } from './steps.ts';

const email: Action = { kind: 'send-email', to: 'guest', subject: 'Soon', body: 'See you.', ics: false };

describe('workflow actions', () => {
  it('a workflow action accepts only the settings of its own kind', () => {
    const sent = actionShape.safeParse({ ...email, credential_id: crypto.randomUUID() });
    expect(sent.success).toBe(false);
    expect(actionShape.parse(email)).toEqual(email);
  });

  it.each(['a@b@c.example', 'a@b.example, c@d.example', '"x"@y.example', 'x@y.example\nBcc: z@y.example'])(
    'a workflow mail action refuses the recipient %j',
    (to) => {
      expect(actionShape.safeParse({ ...email, to }).success).toBe(false);
    },
  );

  it('a workflow action without a matching channel is refused permanently', async () => {
    const rendered = { kind: 'push-to-owl', record: {} } as unknown as RenderedAction;
    expect(await performStep({} as App, {} as PerformedRun, rendered)).toEqual({
      outcome: 'refused',
      reason: 'no-channel',
      permanent: true,
    });
  });
});
