import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Core, EventBody } from '#kernel/event.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import {
  ordinaryCore,
  ordinaryOrigin,
  ordinaryPair,
  plannedAtMs,
  seriesShapes,
} from '../../../../test/harness/mirror-subjects.ts';
import { blockCore } from './block-core.ts';
import { desiredBlocks } from './desired.ts';
import { defaultMirrorRule } from './mirror-rule.ts';

/** Words that may only stand in a block where its rule says so. */
const secrets = {
  title: 'TITLE-4711',
  notes: 'NOTES-4711',
  location: 'PLACE-4711',
  joinUrl: 'https://meet.example/LINK-4711',
  email: 'guest-4711@example.com',
  name: 'GUEST-4711',
  category: 'CATEGORY-4711',
};

const telling = (more: Partial<Core>): Core =>
  ordinaryCore({
    title: secrets.title,
    notes: secrets.notes,
    location: secrets.location,
    joinUrl: secrets.joinUrl,
    attendees: [{ email: secrets.email, name: secrets.name, response: 'accepted' }],
    categories: [secrets.category],
    ...more,
  });

const someCore = fc
  .record({
    private: fc.boolean(),
    busy: fc.constantFrom<Core['busy']>('busy', 'tentative', 'oof', 'unknown'),
    kind: fc.constantFrom<Core['kind']>('default', 'focus', 'out-of-office', 'from-mail'),
    self: fc.constantFrom<Core['self']>('none', 'organizer', 'accepted', 'tentative'),
  })
  .map(telling);

const rule = fc.record({
  privacy: fc.constantFrom('busy' as const, 'title' as const, 'details' as const),
  titleTemplate: fc.constantFrom('Busy', '{title}', '{title} ({calendar}, {account})', ' ', '{TITLE} {title}{title}'),
  kind: fc.constantFrom('default' as const, 'out-of-office' as const),
  events: fc.constantFrom('busy' as const, 'all' as const),
});

const when = { kind: 'zoned' as const, start: '2027-03-08T09:00:00', zone: 'UTC', duration: { seconds: 3600 } };

const bodies: fc.Arbitrary<EventBody> = fc.oneof(
  someCore.map((core): EventBody => ({ kind: 'single', when, core })),
  fc.tuple(someCore, someCore).map(
    ([core, other]): EventBody => ({
      kind: 'series',
      when,
      core,
      rules: ['FREQ=WEEKLY;COUNT=4'],
      exRules: [],
      extraDates: [],
      exdates: [],
      overrides: { '20270315T090000Z': { when: { ...when, start: '2027-03-16T11:00:00' }, core: other } },
    }),
  ),
  someCore.map(
    (core): EventBody => ({
      kind: 'instances',
      of: 'master',
      from: 0,
      to: plannedAtMs * 2,
      list: { '20270308T090000Z': { when, core } },
    }),
  ),
);

const coresOf = (body: EventBody): Core[] => {
  if (body.kind === 'single') return [body.core];
  if (body.kind === 'series') return [body.core, ...Object.values(body.overrides).map((one) => one.core)];
  return body.kind === 'instances' ? Object.values(body.list).map((one) => one.core) : [];
};

describe('content of a mirror', () => {
  test('a mirror never shows attendees, join links or categories, and shows titles and details only by rule', () => {
    fc.assert(
      fc.property(bodies, rule, fc.constantFrom(...seriesShapes), (body, ruled, series) => {
        const { blocks } = desiredBlocks(ordinaryOrigin({ body }), ordinaryPair({ rule: ruled, series }), plannedAtMs);
        expect(blocks.length).toBeGreaterThan(0);
        const said = JSON.stringify(blocks);
        const never = [secrets.joinUrl, secrets.email, secrets.name, secrets.category];
        const all = coresOf(body);
        const hidden = [
          ...never,
          ...(ruled.privacy === 'busy' || all.every((core) => core.private) ? [secrets.title] : []),
          ...(ruled.privacy !== 'details' || all.every((core) => core.private)
            ? [secrets.notes, secrets.location]
            : []),
        ];
        for (const word of hidden) expect(said).not.toContain(word);
        for (const block of blocks) for (const core of coresOf(block.body)) expect(core.private).toBe(true);
      }),
      { numRuns: runs(400) },
    );
  });

  test('a mirror of a private instance shows nothing of its content', () => {
    fc.assert(
      fc.property(someCore, rule, (core, ruled) => {
        const told = JSON.stringify(
          blockCore({ ...core, private: true }, { ...defaultMirrorRule, ...ruled }, ordinaryOrigin()),
        );
        for (const word of Object.values(secrets)) expect(told).not.toContain(word);
      }),
    );
  });

  test('a mirror shows the title, notes and location that its rule allows', () => {
    const at = (privacy: 'busy' | 'title' | 'details', titleTemplate = '{title}') =>
      blockCore(telling({}), { ...defaultMirrorRule, privacy, titleTemplate }, ordinaryOrigin());
    expect(at('busy')).toMatchObject({ title: 'Busy' });
    expect(at('title')).toMatchObject({ title: secrets.title });
    expect(at('title')).not.toHaveProperty('notes');
    expect(at('details')).toMatchObject({ title: secrets.title, notes: secrets.notes, location: secrets.location });
    expect(at('title', '{calendar} / {account}').title).toBe('Work / me@example.com');
    expect(at('title', '  ').title).toBe('Busy');
    // text from a title is never expanded as a template
    expect(
      blockCore(
        telling({ title: '{account} $& {calendar}' }),
        { ...defaultMirrorRule, privacy: 'title', titleTemplate: '{title}' },
        ordinaryOrigin(),
      ).title,
    ).toBe('{account} $& {calendar}');
    expect(at('title', 'x'.repeat(200) + '{title}'.repeat(1)).title?.length).toBeLessThanOrEqual(1_000);
  });

  test('a mirror is out of office when its rule says so, and carries no response of its owner', () => {
    const core = blockCore(telling({}), { ...defaultMirrorRule, kind: 'out-of-office' }, ordinaryOrigin());
    expect([core.busy, core.kind, core.self]).toEqual(['oof', 'out-of-office', 'none']);
  });
});
