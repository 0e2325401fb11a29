import { randomUUID } from 'node:crypto';
import { recordAct } from '#features/accounts/audit/public.ts';
import { loadOwner } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { renderMail } from '#platform/mail-layout.ts';
import { lookOfMail } from '#platform/mail-look.ts';
import { nameInstall } from '#platform/mail-message.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { proofMail } from '../mail.ts';
import { updateLogDays } from '../store/watched.ts';
import type { settingsEndpoints } from './contract.ts';

/** Changes how long entries are kept. The next hourly round deletes older ones. */
export async function changeRetention(
  app: Pick<App, 'db'>,
  actor: Actor,
  { logDays, reason }: { logDays: number; reason: string },
  request: RequestFacts,
): Promise<{ logDays: number }> {
  await inTransaction(app.db, async (tx) => {
    await updateLogDays(tx, logDays);
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'settings_change',
      subject: { kind: 'setting', id: 'logDays' },
      reason,
      request,
      details: { logDays },
    });
  });
  return { logDays };
}

const patienceMs = 20_000;

/** Past the outbox, so that what the server says is known while somebody waits for it. */
export async function testMail(
  app: App,
  actor: Actor,
  reason: string,
  request: RequestFacts,
): Promise<Output<typeof settingsEndpoints.testMail>> {
  const { mail } = app;
  const brand = app.brand.current();
  const { look, from, picture } = lookOfMail(brand, mail.from);
  const { email: to, locale } = await loadOwner(app.db, actor.userId);
  const startMs = performance.now();
  const content = nameInstall(proofMail(new URL(app.config.publicUrl).host, locale), brand.name);
  const attempt = await mail.transport?.send(
    {
      from,
      to,
      ...renderMail({ locale, content }, look),
      calendar: undefined,
      picture,
      messageId: `${randomUUID()}@${mail.from.address.split('@')[1]}`,
      dateMs: app.clock.nowMs(),
    },
    AbortSignal.timeout(patienceMs),
  );
  const outcome = attempt?.outcome ?? 'none';
  await inTransaction(app.db, (tx) =>
    recordAct(tx, {
      actorId: actor.userId,
      action: 'settings_change',
      subject: { kind: 'setting', id: 'mailTest' },
      reason,
      request,
      details: { outcome },
    }),
  );
  const error = attempt === undefined || attempt.outcome === 'sent' ? null : attempt.error;
  return { to, outcome, error, durationMs: Math.round(performance.now() - startMs) };
}
