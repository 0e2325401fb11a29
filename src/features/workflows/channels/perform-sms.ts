import { findTextConsent } from '#features/booking/public.ts';
import { isLoopbackHost } from '#kernel/loopback-host.ts';
import type { App } from '#platform/app.ts';
import type { PerformedRun, Recipient, RenderedOf, StepOutcome } from '../rules/action.ts';
import type { Sent } from '../rules/sending.ts';
import { callWebhook } from './call-webhook.ts';
import { deliver } from './deliver.ts';
import type { OpenCredential } from './open-credential.ts';
import { readPhone } from './read-phone.ts';
import { findConsent, insertConsent } from './store/consents.ts';
import { giveBackToMonth, takeFromMonth } from './store/deliveries.ts';
import { takeCredential } from './take-credential.ts';
import { type TextMessage, twilio } from './twilio.ts';

/** A text message to one number, whose owner agreed. */
export async function performSms(
  app: App,
  run: PerformedRun,
  { to, body, credentialId }: RenderedOf<'send-sms'>,
): Promise<StepOutcome> {
  const credential = await takeCredential(app, run, 'send-sms', credentialId);
  if ('outcome' in credential) return credential;
  const phone = await readPhone(to.address, credential.settings.country ?? undefined);
  if (phone === null) return refused('bad-number');
  const consent = await loadConsent(app, run, phone, to.role);
  if (consent === null) return refused('no-consent');
  if (!consent.given) return refused('opted-out');
  const month = monthOf(app.clock.nowMs());
  const message = { to: phone, body, statusUrl: statusUrlOf(app, credential) };
  return deliver(app, {
    key: run.key,
    credential,
    async reserve(tx) {
      const cap = credential.settings.monthlyCap ?? 0;
      return (await takeFromMonth(tx, { credentialId, month, cap })) ? null : 'monthly-cap';
    },
    giveBack: (tx) => giveBackToMonth(tx, credentialId, month),
    async send(nowMs) {
      const sent = await sendOne(credential, message, run, nowMs);
      if (sent.kind === 'refused' && sent.reason === 'opted-out') {
        await insertConsent(app.db, run.userId, {
          phone,
          given: false,
          source: 'network',
          sourceId: run.key,
          atMs: nowMs,
        });
      }
      return sent;
    },
    ...(credential.kind === 'twilio' && { findSent: (sinceMs) => twilio.findSent(credential, message, sinceMs) }),
  });
}

/** `2027-03`, UTC: a cap is an amount of money, not a time of anybody's day. */
export const monthOf = (nowMs: number) => Temporal.Instant.fromEpochMilliseconds(nowMs).toString().slice(0, 7);

function sendOne(credential: OpenCredential, message: TextMessage, run: PerformedRun, nowMs: number): Promise<Sent> {
  if (credential.kind === 'twilio') return twilio.send(credential, message, nowMs);
  const data = { to: message.to, body: message.body, test: run.isTest };
  return callWebhook(credential, { id: run.key, type: 'sms.send', data, nowMs });
}

/**
 * What was said last of this number. What its owner ticked while booking is noted when it is first asked for, and so is
 * that hosts put their own number into their profile.
 */
async function loadConsent(app: App, { userId, booking }: PerformedRun, phone: string, role: Recipient['role']) {
  if (role === 'host' && (await findConsent(app.db, userId, phone)) === null) {
    const atMs = app.clock.nowMs();
    await insertConsent(app.db, userId, { phone, given: true, source: 'own', sourceId: 'profile', atMs });
  }
  if (role === 'guest' && booking !== null) {
    const atMs = await findTextConsent(app.db, booking.id);
    if (atMs !== null) {
      await insertConsent(app.db, userId, { phone, given: true, source: 'booking', sourceId: booking.id, atMs });
    }
  }
  return findConsent(app.db, userId, phone);
}

/** Twilio calls nobody on this machine; the emulator calls nobody else. */
function statusUrlOf({ config }: App, { id, kind, simulated }: OpenCredential): string | null {
  const isHere = isLoopbackHost(new URL(config.publicUrl).hostname);
  return kind === 'twilio' && isHere === simulated ? `${config.publicUrl}/hooks/twilio/${id}/status` : null;
}

const refused = (reason: string): StepOutcome => ({ outcome: 'refused', reason, permanent: true });
