import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CalendarId } from '#kernel/ids.ts';
import { type PlannedChannel, planChannels, renewalOf } from './channel-plan.ts';

const hourMs = 3_600_000;
const weekMs = 168 * hourMs;

type World = { channels: PlannedChannel[]; nowMs: number; ids: number };

/** Does what the plan says; `fails` tells which calls the provider refuses, `renews` whether it knows renewal. */
function act(world: World, calendarIds: CalendarId[], options: { fails: boolean; renews: boolean }) {
  const watched = calendarIds.map((calendarId) => ({ calendarId, afterMs: 0 }));
  const actions = planChannels(watched, world.channels, world.nowMs);
  const drop = (id: string) => {
    world.channels = world.channels.filter((channel) => channel.id !== id);
  };
  const open = (calendarId: CalendarId) => {
    if (options.fails) return;
    world.ids += 1;
    world.channels.push({
      id: `${world.ids}`,
      calendarId,
      state: 'live',
      openedMs: world.nowMs,
      renewMs: renewalOf(world.nowMs, world.nowMs + weekMs),
      expiresMs: world.nowMs + weekMs,
    });
  };
  for (const action of actions) {
    if (action.do === 'open') open(action.calendarId);
    else if (action.do === 'renew') {
      if (!options.renews) open(action.channel.calendarId);
      else if (!options.fails) {
        action.channel.openedMs = world.nowMs;
        action.channel.renewMs = renewalOf(world.nowMs, world.nowMs + weekMs);
        action.channel.expiresMs = world.nowMs + weekMs;
      }
    } else drop(action.channel.id);
  }
  return actions;
}

const calendars = ['one', 'two', 'three'] as CalendarId[];
const steps = fc.array(
  fc.record({ hours: fc.integer({ min: 0, max: 60 }), fails: fc.boolean(), watched: fc.subarray(calendars) }),
  { minLength: 1, maxLength: 40 },
);

test('each watched calendar has exactly one channel after two rounds without failures, whatever came before', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (history, renews) => {
      const world: World = { channels: [], nowMs: 1_800_000_000_000, ids: 0 };
      for (const step of history) {
        world.nowMs += step.hours * hourMs;
        act(world, step.watched, { fails: step.fails, renews });
      }
      act(world, calendars, { fails: false, renews });
      act(world, calendars, { fails: false, renews });
      expect(world.channels.map((channel) => channel.calendarId).toSorted()).toEqual(calendars.toSorted());
      expect(act(world, calendars, { fails: false, renews })).toEqual([]);
    }),
  );
});

test('a calendar is never without a live channel when channels are checked every hour', () => {
  for (const renews of [true, false]) {
    const world: World = { channels: [], nowMs: 1_800_000_000_000, ids: 0 };
    for (let hour = 0; hour < 24 * 60; hour += 1) {
      act(world, calendars, { fails: false, renews });
      for (const calendarId of calendars) {
        const live = world.channels.filter(
          (channel) => channel.calendarId === calendarId && (channel.expiresMs ?? 0) > world.nowMs + hourMs,
        );
        expect(live.length).toBeGreaterThan(0);
      }
      world.nowMs += hourMs;
    }
  }
});

test('a channel request without a response is dropped after two minutes and sent again', () => {
  const opening: PlannedChannel = {
    id: 'a',
    calendarId: 'one' as CalendarId,
    state: 'opening',
    openedMs: 0,
    renewMs: null,
    expiresMs: null,
  };
  const watched = [{ calendarId: 'one' as CalendarId, afterMs: 0 }];
  expect(planChannels(watched, [opening], 119_999)).toEqual([]);
  expect(planChannels(watched, [opening], 120_000)).toEqual([
    { do: 'forget', channel: opening },
    { do: 'open', calendarId: 'one' },
  ]);
});
