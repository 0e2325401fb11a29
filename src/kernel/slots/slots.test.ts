import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#kernel/time/civil.ts';
import { decideSlot } from './decide-slot.ts';
import { listSlots } from './list-slots.ts';
import type { SlotHost, SlotQuestion } from './slot-question.ts';

const zone = 'Europe/Paris';

function at(local: string, id = zone): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(id).epochMilliseconds;
}

function span(from: string, to: string) {
  return { startMs: at(from), endMs: at(to) };
}

/** A host who works from nine to twelve on Monday 8 March 2027. */
function host(given: Partial<SlotHost> = {}): SlotHost {
  return { id: 'ada', open: [span('2027-03-08T09:00', '2027-03-08T12:00')], busy: [], blocks: [], ...given };
}

function ask(given: Partial<SlotQuestion> = {}, ...hosts: SlotHost[]): SlotQuestion {
  return {
    range: span('2027-03-07T00:00', '2027-04-01T00:00'),
    nowMs: at('2027-03-01T08:00'),
    zone,
    hosts: hosts.length > 0 ? hosts : [host()],
    shape: 'one',
    durationMs: 30 * minuteMs,
    stepMs: 30 * minuteMs,
    bufferBeforeMs: 0,
    bufferAfterMs: 0,
    noticeMs: 0,
    window: { startMs: 0, endMs: at('2028-01-01T00:00') },
    limits: {},
    ...given,
  };
}

/** `8T09:00`: day of the month and time. */
function labels(question: SlotQuestion, id = zone): string[] {
  return listSlots(question).map((ms) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(id).toPlainDateTime().toString().slice(8, 16),
  );
}

function reasons(question: SlotQuestion, local: string) {
  const decision = decideSlot(question, at(local));
  return decision.ok ? [] : decision.reasons.map(({ kind }) => kind);
}

describe('offered slots', () => {
  it('slots start at steps from the beginning of the hours, whatever is busy', () => {
    const busy = [span('2027-03-08T09:10', '2027-03-08T09:50')];
    expect(labels(ask())).toEqual(['08T09:00', '08T09:30', '08T10:00', '08T10:30', '08T11:00', '08T11:30']);
    expect(labels(ask({}, host({ busy })))).toEqual(['08T10:00', '08T10:30', '08T11:00', '08T11:30']);
    expect(labels(ask({ durationMs: 2 * hourMs, stepMs: 20 * minuteMs }))).toEqual([
      '08T09:00',
      '08T09:20',
      '08T09:40',
      '08T10:00',
    ]);
  });

  it('slots keep their buffers free of busy times, and buffers may extend beyond the hours', () => {
    const busy = [span('2027-03-08T10:00', '2027-03-08T10:30')];
    const question = ask({ bufferBeforeMs: 30 * minuteMs, bufferAfterMs: 15 * minuteMs }, host({ busy }));
    expect(labels(question)).toEqual(['08T09:00', '08T11:00', '08T11:30']);
    expect(reasons(question, '2027-03-08T09:30')).toEqual(['busy']);
  });

  it('a skipped hour has no slot, and a repeated hour has two', () => {
    const night = (day: string) => host({ open: [span(`${day}T00:00`, `${day}T05:00`)] });
    const hourly = { durationMs: hourMs, stepMs: hourMs, range: span('2027-01-01T00:00', '2027-12-31T00:00') };
    expect(labels(ask(hourly, night('2027-03-28')))).toEqual(['28T00:00', '28T01:00', '28T03:00', '28T04:00']);
    expect(labels(ask(hourly, night('2027-10-31')))).toEqual([
      '31T00:00',
      '31T01:00',
      '31T02:00',
      '31T02:00',
      '31T03:00',
      '31T04:00',
    ]);
  });

  it('hourly slots stay on the full hour over a daylight saving change of half an hour', () => {
    const open = [
      { startMs: at('2027-10-03T00:00', 'Australia/Lord_Howe'), endMs: at('2027-10-03T06:00', 'Australia/Lord_Howe') },
    ];
    const range = { startMs: open[0]!.startMs - dayMs, endMs: open[0]!.endMs + dayMs };
    const question = ask(
      { zone: 'Australia/Lord_Howe', durationMs: 30 * minuteMs, stepMs: hourMs, range },
      host({ open }),
    );
    expect(labels(question, 'Australia/Lord_Howe')).toEqual([
      '03T00:00',
      '03T01:00',
      '03T03:00',
      '03T04:00',
      '03T05:00',
    ]);
  });

  it('slots of hours over midnight are counted from midnight, wherever the hours were cut', () => {
    const always = (from: string) => host({ open: [span(from, '2027-03-12T00:00')] });
    const step = { stepMs: 7 * hourMs, range: span('2027-03-09T00:00', '2027-03-10T12:00') };
    const expected = ['09T00:00', '09T07:00', '09T14:00', '09T21:00', '10T00:00', '10T07:00'];
    expect(labels(ask(step, always('2027-03-05T00:00')))).toEqual(expected);
    expect(labels(ask(step, always('2027-03-07T13:37')))).toEqual(expected);
  });

  it('fixed slots are offered only at the selected times within the hours', () => {
    const only = [at('2027-03-08T09:05'), at('2027-03-08T11:50')];
    expect(labels(ask({ only }))).toEqual(['08T09:05']);
    expect(reasons(ask({ only }), '2027-03-08T10:00')).toEqual(['not-a-start']);
    expect(labels(ask({ only: [at('2027-03-08T09:05'), ...only] }))).toEqual(['08T09:05']);
  });
});

describe('booking limits', () => {
  const open = [8, 9, 10].map((day) =>
    span(`2027-03-${String(day).padStart(2, '0')}T09:00`, `2027-03-${String(day).padStart(2, '0')}T10:00`),
  );
  const counted = [span('2027-03-09T08:00', '2027-03-09T08:30')];

  it('a daily limit closes its day and leaves the days around it', () => {
    const question = ask({ limits: { day: { count: 1 } } }, host({ open, counted }));
    expect(labels(question)).toEqual(['08T09:00', '08T09:30', '10T09:00', '10T09:30']);
    expect(reasons(question, '2027-03-09T09:00')).toEqual(['limit-day']);
    const around = host({ open: [span('2027-03-08T22:00', '2027-03-10T02:00')], counted });
    expect(labels(ask({ limits: { day: { count: 1 } }, stepMs: hourMs }, around))).toEqual([
      '08T22:00',
      '08T23:00',
      '10T00:00',
      '10T01:00',
    ]);
  });

  it('a weekly limit closes the week from Monday, and a monthly limit the month', () => {
    const later = [...open, span('2027-03-15T09:00', '2027-03-15T09:30')];
    expect(labels(ask({ limits: { week: { count: 1 } } }, host({ open: later, counted })))).toEqual(['15T09:00']);
    const month = ask({ limits: { month: { count: 1 } } }, host({ open: later, counted }));
    expect(labels(month)).toEqual([]);
    expect(reasons(month, '2027-03-15T09:00')).toEqual(['limit-month']);
  });

  it('a limit in minutes includes the requested meeting', () => {
    const limits = { day: { minutes: 60 } };
    expect(labels(ask({ limits, durationMs: 30 * minuteMs }, host({ open, counted })))).toContain('09T09:00');
    expect(labels(ask({ limits, durationMs: 45 * minuteMs }, host({ open, counted })))).not.toContain('09T09:00');
    expect(reasons(ask({ limits: { week: { minutes: 20 } } }), '2027-03-08T09:00')).toEqual(['limit-week']);
  });
});

describe('group sessions', () => {
  const block = span('2027-03-08T10:00', '2027-03-08T11:15');
  const session = { ...span('2027-03-08T10:15', '2027-03-08T10:45'), block, seatsLeft: 2 };

  it('a group session with seats left is offered off the grid and blocks other slots', () => {
    const question = ask(
      { shape: 'group', limits: { day: { count: 1 } } },
      host({ sessions: [session], counted: [session] }),
    );
    expect(labels(question)).toEqual(['08T10:15']);
    expect(labels({ ...question, limits: {} })).toEqual(['08T09:00', '08T09:30', '08T10:15', '08T11:30']);
    expect(reasons(question, '2027-03-08T10:30')).toContain('booked');
  });

  it('a group session without seats is full, and takes no other length', () => {
    const full = ask({ shape: 'group' }, host({ sessions: [{ ...session, seatsLeft: 0 }] }));
    expect(labels(full)).toEqual(['08T09:00', '08T09:30', '08T11:30']);
    expect(reasons(full, '2027-03-08T10:15')).toEqual(['full']);
    expect(labels(ask({ shape: 'group', durationMs: 15 * minuteMs }, host({ sessions: [session] })))).not.toContain(
      '08T10:15',
    );
  });

  it('a group session overlapped by a busy time is not offered', () => {
    const busy = [span('2027-03-08T10:40', '2027-03-08T10:50')];
    expect(reasons(ask({ shape: 'group' }, host({ sessions: [session], busy })), '2027-03-08T10:15')).toEqual(['busy']);
  });
});

describe('several hosts', () => {
  const ada = host({ busy: [span('2027-03-08T09:00', '2027-03-08T10:00')] });
  const ben = host({ id: 'ben', open: [span('2027-03-08T09:15', '2027-03-08T11:00')] });
  const cem = host({ id: 'cem', open: [span('2027-03-08T11:00', '2027-03-08T13:00')] });

  it('a round robin offers what any host can take, on one grid', () => {
    const question = ask({ shape: 'round-robin' }, ada, ben, cem);
    expect(labels(question)).toEqual([
      '08T09:30',
      '08T10:00',
      '08T10:30',
      '08T11:00',
      '08T11:30',
      '08T12:00',
      '08T12:30',
    ]);
    expect(decideSlot(question, at('2027-03-08T10:00'))).toEqual({ ok: true, hosts: ['ada', 'ben'] });
    expect(decideSlot(question, at('2027-03-08T12:30'))).toEqual({ ok: true, hosts: ['cem'] });
  });

  it('a collective slot needs all required hosts, and an optional host never blocks it', () => {
    expect(labels(ask({ shape: 'collective' }, ada, ben))).toEqual(['08T10:15']);
    expect(labels(ask({ shape: 'collective' }, ada, ben, cem))).toEqual([]);
    expect(labels(ask({ shape: 'collective' }, ada, ben, { ...cem, optional: true }))).toEqual(['08T10:15']);
  });

  it('a quorum slot needs enough free hosts', () => {
    const question = ask({ shape: 'collective', quorum: 2 }, ada, ben, cem);
    expect(labels(question)).toEqual(['08T10:15', '08T11:15']);
    expect(reasons(ask({ shape: 'collective', quorum: 4 }, ada, ben, cem), '2027-03-08T10:15')).toContain('no-host');
  });
});

describe('refused slots', () => {
  it.each([
    ['2027-03-08T08:30', ['outside-hours']],
    ['2027-03-08T11:45', ['outside-hours']],
    ['2027-03-08T09:01', ['not-a-start']],
  ])('a slot at %s is refused with %j', (local, expected) => {
    expect(reasons(ask(), local)).toEqual(expected);
  });

  it('a paused event type offers no slots and refuses with paused', () => {
    expect(labels(ask({ paused: true }))).toEqual([]);
    expect(reasons(ask({ paused: true }), '2027-03-08T10:00')).toEqual(['paused']);
  });

  it('a slot that is past, too soon or too far is refused with that reason', () => {
    const nowMs = at('2027-03-08T09:15');
    expect(reasons(ask({ nowMs }), '2027-03-08T09:00')).toEqual(['past']);
    expect(reasons(ask({ nowMs, noticeMs: hourMs }), '2027-03-08T10:00')).toEqual(['notice']);
    expect(reasons(ask({ window: span('2027-03-09T00:00', '2027-03-10T00:00') }), '2027-03-08T10:00')).toEqual([
      'window',
    ]);
  });

  it('a refused slot names every conflict', () => {
    const busy = [span('2027-03-08T09:00', '2027-03-08T09:40')];
    const blocks = [
      { ...span('2027-03-08T09:20', '2027-03-08T10:10'), kind: 'booking' as const },
      { ...span('2027-03-08T09:45', '2027-03-08T10:10'), kind: 'hold' as const },
    ];
    const decision = decideSlot(
      ask({ bufferBeforeMs: 5 * minuteMs }, host({ busy, blocks, stale: true })),
      at('2027-03-08T09:30'),
    );
    const needed = { startMs: at('2027-03-08T09:25'), endMs: at('2027-03-08T10:00') };
    expect(decision).toEqual({
      ok: false,
      reasons: [
        { kind: 'stale-calendar', host: 'ada' },
        { kind: 'busy', host: 'ada', span: busy[0], with: needed },
        { kind: 'booked', host: 'ada', span: blocks[0], with: needed },
        { kind: 'held', host: 'ada', span: blocks[1], with: needed },
      ],
    });
  });

  it('a slot outside the range or with invalid settings throws', () => {
    expect(() => decideSlot(ask(), at('2027-04-02T10:00'))).toThrow(RangeError);
    expect(() => listSlots(ask({ zone: 'Mars/Base' }))).toThrow(RangeError);
    expect(() => listSlots(ask({ stepMs: 0 }))).toThrow(RangeError);
  });
});
