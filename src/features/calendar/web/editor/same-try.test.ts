import { expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import type { NewEvent } from './edit-shapes.ts';
import { sameTry } from './same-try.ts';

const lunch = { title: 'Lunch' } as NewEvent;
const idsOf = (send: ReturnType<typeof vi.fn>) => send.mock.calls.map(([body]) => (body as NewEvent).edit_id);

it('a repeated submit and a retry after a lost response have one edit id', async () => {
  const send = vi.fn<(tried: NewEvent) => Promise<void>>(async () => {});
  send.mockRejectedValueOnce(new Error('lost'));
  await expect(sameTry(lunch, send)).rejects.toThrow('lost');
  await Promise.all([sameTry(lunch, send), sameTry(lunch, send)]);
  const ids = idsOf(send);
  expect(new Set(ids).size).toBe(1);
  expect(z.safeParse(z.uuid(), ids[0]).success).toBe(true);
});

it('a submit after a response, or with other content, has a new edit id', async () => {
  const send = vi.fn<(tried: NewEvent) => Promise<void>>(async () => {});
  await sameTry(lunch, send);
  await sameTry(lunch, send);
  send.mockRejectedValueOnce(new Error('lost'));
  await expect(sameTry({ ...lunch, title: 'Dinner' }, send)).rejects.toThrow('lost');
  await sameTry({ ...lunch, title: 'Supper' }, send);
  expect(new Set(idsOf(send)).size).toBe(4);
});
