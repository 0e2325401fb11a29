import { expect, test } from 'vitest';
import { listSlots } from '#kernel/slots/list-slots.ts';
import type { SlotHost, SlotQuestion } from '#kernel/slots/slot-question.ts';
import { seatHosts } from './seat-hosts.ts';

const at = (time: string) => Temporal.Instant.from(`2027-03-08T${time}Z`).epochMilliseconds;
const host = (id: string, from: string, to: string): SlotHost => ({
  id,
  open: [{ startMs: at(from), endMs: at(to) }],
  busy: [],
  blocks: [],
});

test('starts with a stand-in count from where their hours begin, not from when they stand in', () => {
  const standIns = [{ toUserId: 'ben', fromMs: at('13:37:12.345'), untilMs: at('16:11') }] as never;
  const seats = seatHosts(
    [{ userId: 'ada', standIns }],
    [host('ada', '09:00', '12:00'), host('ben', '10:00', '18:00')],
  );
  const question: SlotQuestion = {
    range: { startMs: at('00:00'), endMs: at('23:00') },
    nowMs: at('00:00'),
    zone: 'UTC',
    hosts: seats,
    shape: 'round-robin',
    durationMs: 30 * 60_000,
    stepMs: 45 * 60_000,
    bufferBeforeMs: 0,
    bufferAfterMs: 0,
    noticeMs: 0,
    window: { startMs: 0, endMs: at('23:00') },
    limits: {},
  };
  const time = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString().slice(11, 16);
  expect(listSlots(question).map(time)).toEqual(['09:00', '09:45', '10:30', '11:15', '13:45', '14:30', '15:15']);
});
