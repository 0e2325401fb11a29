import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { BookingData } from '../rules/visit-data.ts';
import { useHold } from './use-hold.ts';

const data = { api: '/api/book/anna/intro', moving: null } as BookingData;

interface Sent {
  method: string;
  url: string;
  body: { hold_id?: string } | null;
}

/** Requests of the page, each answered by `answer`. */
function answering(answer: () => Promise<Response>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', (url: string, { method, body }: RequestInit) => {
    sent.push({ method: method ?? 'GET', url, body: typeof body === 'string' ? JSON.parse(body) : null });
    return method === 'POST' ? answer() : Promise.resolve(new Response(null, { status: 204 }));
  });
  return sent;
}

const refusal = (status: number, code: string) => () =>
  Promise.resolve(Response.json({ detail: { code, message: '', fields: { nearest: '100,130' } } }, { status }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each([
  ['nobody answers', () => Promise.reject(new TypeError('network'))],
  ['somebody in between says no', () => Promise.resolve(new Response('<h1>502</h1>', { status: 502 }))],
  ['the server fails', refusal(500, 'INTERNAL')],
])('a reservation is booked and given back by its id when %s', async (_, answer) => {
  const sent = answering(answer);
  const { result, unmount } = renderHook(() => useHold(data, 10, 30));
  const name = sent[0]?.body?.hold_id;
  expect(name).toMatch(/^[0-9a-f-]{36}$/);
  expect(await result.current.settled()).toBe(name);
  unmount();
  expect(sent.slice(1)).toEqual([{ method: 'DELETE', url: `${data.api}/holds/${name}`, body: null }]);
});

test('a refused reservation is neither booked nor given back', async () => {
  const sent = answering(refusal(409, 'SLOT_TAKEN'));
  const { result, unmount } = renderHook(() => useHold(data, 10, 30));
  expect(await result.current.settled()).toBeNull();
  await expect.poll(() => result.current.near).toEqual([100, 130]);
  unmount();
  expect(sent).toHaveLength(1);
});

test('a form that is closed before the response gives its reservation back afterwards', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const sent = answering(() => promise);
  const { unmount } = renderHook(() => useHold(data, 10, 30));
  unmount();
  expect(sent).toHaveLength(1);
  resolve(Response.json({ hold_id: sent[0]?.body?.hold_id, expires_at: '2026-11-23T10:00:00Z' }, { status: 201 }));
  await expect.poll(() => sent.at(-1)).toMatchObject({ method: 'DELETE' });
});

test('a series is reserved once the single time before it is given back', async () => {
  const expires = { expires_at: '2026-11-23T10:00:00Z' };
  const sent = answering(() => Promise.resolve(Response.json(expires, { status: 201 })));
  const weekly = { times: 3, changes: [{ start: 20, instead: null }] };
  const { result, rerender } = renderHook(({ repeated }) => useHold(data, 10, 30, repeated), {
    initialProps: { repeated: {} },
  });
  const first = await result.current.settled();
  rerender({ repeated: weekly });
  const second = await result.current.settled();
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'POST']);
  expect(sent[1]?.url).toBe(`${data.api}/holds/${first}`);
  expect(sent[2]?.body).toEqual({ start: 10, duration: 30, hold_id: second, ...weekly });
});

const held = () => Promise.resolve(Response.json({ expires_at: '2100-01-01T00:00:00Z' }, { status: 201 }));
const busy: [string, () => Promise<Response>][] = [
  ['nobody answers', () => Promise.reject(new TypeError('network'))],
  ['too many ask', refusal(429, 'LIMITED')],
  ['the server is busy', refusal(503, 'UNAVAILABLE')],
  ['a proxy says no', () => Promise.resolve(new Response('<h1>502</h1>', { status: 502 }))],
];

test.each(busy)('a reservation is asked for again by its id when %s, until it is there', async (_, answer) => {
  vi.useFakeTimers();
  const answers = [answer, answer, held];
  const sent = answering(() => (answers.shift() ?? held)());
  const { result, unmount } = renderHook(() => useHold(data, 10, 30));
  await act(() => vi.advanceTimersByTimeAsync(999));
  expect(sent).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(sent).toHaveLength(2);
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(sent.map(({ body }) => body)).toEqual(Array(3).fill(sent[0]?.body));
  expect(result.current.until).toBe(Date.UTC(2100, 0, 1) / 60_000);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(await result.current.settled()).toBe(sent[0]?.body?.hold_id);
  unmount();
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'DELETE']);
});

test.each(busy)('a reservation is asked for six times at most when %s', async (_, answer) => {
  vi.useFakeTimers();
  const sent = answering(answer);
  renderHook(() => useHold(data, 10, 30));
  await act(() => vi.advanceTimersByTimeAsync(3_600_000));
  expect(sent).toHaveLength(6);
});

test.each(busy)('no reservation is asked for after the form is sent or closed when %s', async (_, answer) => {
  vi.useFakeTimers();
  const sent = answering(answer);
  const posts = () => sent.filter(({ method }) => method === 'POST').length;
  const form = renderHook(() => useHold(data, 10, 30));
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  await form.result.current.settled();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(posts()).toBe(2);
  form.unmount();
  renderHook(() => useHold(data, 10, 30)).unmount();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(posts()).toBe(3);
});

test('a reservation whose answer was lost is booked by its id although the server is busy afterwards', async () => {
  vi.useFakeTimers();
  const answers = [() => Promise.reject(new TypeError('network')), refusal(429, 'LIMITED')];
  const sent = answering(() => (answers.shift() ?? refusal(429, 'LIMITED'))());
  const { result } = renderHook(() => useHold(data, 10, 30));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(sent).toHaveLength(2);
  expect(await result.current.settled()).toBe(sent[0]?.body?.hold_id);
});
