import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPushPayload } from '@block65/webcrypto-web-push';
import * as z from 'zod/mini';
import { findHost, listReaders } from '#features/accounts/public.ts';
import { retryAfterMs } from '#kernel/http-date.ts';
import { chooseTongue, languages } from '#kernel/languages.ts';
import type { App } from '#platform/app.ts';
import { sayError } from '#platform/error-words.ts';
import { FetchError, whyNotSent } from '#platform/fetch.ts';
import { defineJob } from '#platform/jobs.ts';
import { sayParts, type TimeFormat, wordsOf } from '#platform/mail-words.ts';
import type { Subscription } from './contract.ts';
import { devicePlace } from './devices.ts';
import { getPushKey } from './push-key.ts';
import { type Answer, decidePush, type Fact, isOfBooking, placeOf, wordsFor } from './rules.ts';
import { type ClaimedPush, claimPush, deleteRefusedDevice, findOwnerOfPush, finishPush } from './store.ts';

/** One notice to one device. Silent services of one person's devices hold up no other person's. */
export const pushJob = defineJob({
  name: 'inbox.send-push',
  payload: z.strictObject({ id: z.string() }),
  policy: 'stately',
  timeoutSeconds: 60,
  concurrency: 16,
  share: { most: 2, ownerOf: ({ db }, { id }) => findOwnerOfPush(db, id) },
  handle: async (app, { id }, signal) => {
    const afterMs = await sendPush(app, id, signal);
    if (afterMs !== null) await app.jobs.send(pushJob, { id }, { key: id, startAfterMs: afterMs });
  },
});

const timeoutMs = 15_000;
const mostAnswerBytes = 10_000;
/** A device is removed after this many refusals in a row. */
const refusalsBorne = 5;

/**
 * One attempt to send a notice to a device: claim, call its push service outside of any transaction, record the outcome.
 * Resolves to the wait before the next attempt, or null where there is none.
 */
export async function sendPush(app: App, id: string, signal: AbortSignal): Promise<number | null> {
  const { db, log } = app;
  const push = await claimPush(db, id);
  if (push === null) return null;
  const message = await writePush(app, push);
  if (message === null || push.leftSeconds <= 0) {
    const error = message === null ? 'not wanted any more' : 'not taken in time';
    await finishPush(db, push, { state: 'failed', error });
    return null;
  }
  const answer = await callService(app, push, message, signal);
  const verdict = decidePush(answer, { attempts: push.attempts, leftMs: push.leftSeconds * 1_000 });
  const about = { pushId: id, host: push.host, attempts: push.attempts, ...verdict };
  if (verdict.is === 'sent') log.info(about, 'a notice was sent to a device');
  else log.warn(about, 'a notice was not taken by a push service');
  if (verdict.is === 'gone') {
    await deleteRefusedDevice(db, push.deviceId, 0);
    return null;
  }
  await finishPush(db, push, {
    state: verdict.is === 'sent' ? 'sent' : verdict.is === 'again' ? 'queued' : 'failed',
    error: 'error' in verdict ? verdict.error : null,
    isRefusal: verdict.is === 'refused',
  });
  if (verdict.is === 'refused') await deleteRefusedDevice(db, push.deviceId, refusalsBorne);
  return verdict.is === 'again' ? verdict.afterMs : null;
}

/** The message that the device shows, by the user's current preferences, or null. */
async function writePush(app: App, push: ClaimedPush): Promise<string | null> {
  if (push.isOld) return null;
  const reader = await findHost(app.db, push.userId);
  if (reader === null || reader.suspended) return null;
  if (isOfBooking(push) && (await listReaders(app.db, [push.userId], 'bookingReminders')).length === 0) return null;
  const { zone, locale, timeFormat } = reader;
  return JSON.stringify({ ...printNotice(push, { zone, locale, timeFormat }), tag: push.noticeId });
}

async function callService(app: App, push: ClaimedPush, message: string, signal: AbortSignal): Promise<Answer> {
  const { config, clock, fetch, keyring, log, mail } = app;
  const device = JSON.parse(keyring.open(push.subscription, devicePlace(push.deviceId))) as Subscription;
  const subject = `mailto:${config.operator.contact ?? mail.from.address}`;
  const request = await buildPushPayload(
    {
      data: message,
      options: {
        ttl: push.leftSeconds,
        urgency: isOfBooking(push) || push.kind === 'conflict' ? 'high' : 'normal',
        // a newer push about the same notice replaces one that was not fetched yet
        topic: Buffer.from(push.noticeId.replaceAll('-', ''), 'hex').toString('base64url'),
      },
    },
    { ...device, expirationTime: null },
    { subject, ...(await getPushKey(app)) },
  );
  try {
    const { status, headers } = await fetch.request({
      url: device.endpoint,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      timeoutMs,
      maxBytes: mostAnswerBytes,
      signal,
    });
    return { kind: 'status', status, waitMs: retryAfterMs(headers['retry-after'], clock.nowMs()) };
  } catch (error) {
    // the address is a secret: its host is all that the log gets
    log.info(
      { host: push.host, err: error instanceof FetchError ? error.code : error },
      'a push service gave no answer',
    );
    const why = whyNotSent(error);
    return why === null ? { kind: 'unknown' } : { kind: 'not-sent', isForbidden: why === 'ADDRESS_REFUSED' };
  }
}

type Words = { kind: Record<string, string> };

const catalogues = join(import.meta.dirname, '../../web/locales');
/** The bell's own: a device says nothing else than the bell. */
const wordsIn = wordsOf<Words>(
  Object.fromEntries(
    languages.map((language) => [
      language,
      JSON.parse(readFileSync(join(catalogues, language, 'inbox.json'), 'utf8')) as Words,
    ]),
  ) as { en: Words },
);

const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const hour = { hour: 'numeric', minute: '2-digit' } as const;
/** More is not shown anywhere, and must fit into one message. */
const longestTitle = 150;
const longestBody = 300;

/** Its reason is a sentence of ours, which is kept in English. */
export const sayReason = ({ reason, ...details }: Fact['details'], language: string): Fact['details'] =>
  reason == null ? { ...details } : { ...details, reason: sayError(reason, language) };

/** A notice as a device shows it, with the screen that it leads to. */
export function printNotice(
  notice: Pick<Fact, 'kind' | 'details'>,
  reader: TimeFormat,
): { title: string; body: string; to: string } {
  const details = sayReason(notice.details, chooseTongue([reader.locale]).language);
  const { key, values } = wordsFor(notice);
  const say = (atMs: number, parts: Intl.DateTimeFormatOptions) => sayParts(atMs, reader, parts);
  const [first] = details.events ?? [];
  const times = (details.events ?? []).map(({ start_time: start, end_time: end, calendar }) => {
    const [startMs, endMs] = [start, end].map(msOf) as [number, number];
    return `${say(startMs, hour)} – ${say(endMs, hour)} (${calendar})`;
  });
  const lines = [
    ...(first === undefined ? [] : [`${say(msOf(first.start_time), day)}: ${times.join(', ')}`]),
    ...(details.start_time === undefined ? [] : [say(msOf(details.start_time), { ...day, ...hour })]),
    ...(details.reason ? [details.reason] : []),
  ];
  const { to, search = {} } = placeOf(notice);
  const query = new URLSearchParams(search).toString();
  return {
    title: shorten(wordsIn(reader.locale)(`kind.${key}`, values), longestTitle),
    body: shorten(lines.join('\n'), longestBody),
    to: query === '' ? to : `${to}?${query}`,
  };
}

const msOf = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;

function shorten(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
}
