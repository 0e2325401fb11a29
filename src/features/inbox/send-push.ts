import { buildPushPayload } from '@block65/webcrypto-web-push';
import { findHost, listReaders } from '#features/accounts/public.ts';
import { retryAfterMs } from '#kernel/http-date.ts';
import type { App } from '#platform/app.ts';
import { FetchError, whyNotSent } from '#platform/fetch.ts';
import { devicePlace } from './device-place.ts';
import { openPushKey } from './load-push-key.ts';
import { type Answer, judgeAnswer } from './rules/judge-answer.ts';
import { isOfBooking } from './rules/notice.ts';
import type { Subscription } from './rules/subscription.ts';
import { type ClaimedPush, claimPush, forgetDevice, settlePush } from './store/pushes.ts';
import { writeNotice } from './write-notice.ts';

const timeoutMs = 15_000;
const mostAnswerBytes = 10_000;
/** A service that refuses this often in a row will not think better of it. */
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
    await settlePush(db, push, { state: 'failed', error });
    return null;
  }
  const answer = await callService(app, push, message, signal);
  const verdict = judgeAnswer(answer, { attempts: push.attempts, leftMs: push.leftSeconds * 1_000 });
  const about = { pushId: id, host: push.host, attempts: push.attempts, ...verdict };
  if (verdict.is === 'sent') log.info(about, 'a notice was sent to a device');
  else log.warn(about, 'a notice was not taken by a push service');
  if (verdict.is === 'gone') {
    await forgetDevice(db, push.deviceId, 0);
    return null;
  }
  await settlePush(db, push, {
    state: verdict.is === 'sent' ? 'sent' : verdict.is === 'again' ? 'queued' : 'failed',
    error: 'error' in verdict ? verdict.error : null,
    isRefusal: verdict.is === 'refused',
  });
  if (verdict.is === 'refused') await forgetDevice(db, push.deviceId, refusalsBorne);
  return verdict.is === 'again' ? verdict.afterMs : null;
}

/** What the device shows, by what its person wants by now; null for nothing. */
async function writePush(app: App, push: ClaimedPush): Promise<string | null> {
  if (push.isOld) return null;
  const reader = await findHost(app.db, push.userId);
  if (reader === null || reader.suspended) return null;
  if (isOfBooking(push) && (await listReaders(app.db, [push.userId], 'bookingReminders')).length === 0) return null;
  const { zone, locale, timeFormat } = reader;
  return JSON.stringify({ ...writeNotice(push, { zone, locale, timeFormat }), tag: push.noticeId });
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
        // what has not been fetched yet is replaced by what is newer about the same
        topic: Buffer.from(push.noticeId.replaceAll('-', ''), 'hex').toString('base64url'),
      },
    },
    { ...device, expirationTime: null },
    { subject, ...(await openPushKey(app)) },
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
