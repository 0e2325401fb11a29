import * as z from 'zod/mini';
import { uuid } from '#kernel/codecs.ts';
import type { App } from '#platform/app.ts';
import { isSameSecret } from '#platform/crypto.ts';
import type { RawAnswer, RawCall, RawRoute } from '#platform/raw-route.ts';
import { runsTopic } from '../events.ts';
import type { CredentialSecret } from '../rules/credential.ts';
import { takeAnswer } from './consents.ts';
import { credentialPlace } from './services/services.ts';
import { signTwilio } from './services/twilio.ts';
import { isSigned } from './services/webhook.ts';
import { type CredentialRow, findCalledCredential } from './store/credentials.ts';
import { updateNetworkStatus } from './store/deliveries.ts';

/** Where services tell of text messages. Each call proves that it comes from whom the account is with. */

const bodyLimit = 64_000;
const nothing: RawAnswer = { status: 404 };
const refused: RawAnswer = { status: 403 };
/** An answer without words: Twilio itself answers STOP, START and HELP. */
const silent: RawAnswer = { status: 200, headers: { 'content-type': 'text/xml' }, body: '<Response></Response>' };

type Form = ReadonlyMap<string, string>;

function twilio(
  what: 'inbound' | 'status',
  take: (app: App, row: CredentialRow, form: Form) => Promise<void>,
): RawRoute {
  const path = `/hooks/twilio/{credential_id}/${what}`;
  return {
    method: 'POST',
    path,
    bodyLimit,
    async handle(app, call) {
      const found = await findCalled(app, call, 'twilio');
      if (found === null) return nothing;
      const fields = [...new URLSearchParams(Buffer.from(call.bytes).toString('utf8'))];
      const url = `${app.config.publicUrl}${path.replace('{credential_id}', found.row.id)}`;
      const expected = signTwilio(found.secret.token ?? '', url, fields);
      if (!isSameSecret(call.headers['x-twilio-signature'] ?? '', expected)) return refused;
      await take(app, found.row, new Map(fields));
      return silent;
    },
  };
}

const inbound = twilio('inbound', (app, row, form) =>
  takeAnswer(app, row, {
    id: form.get('MessageSid') ?? '',
    from: form.get('From') ?? '',
    body: form.get('Body') ?? '',
  }),
);

const status = twilio('status', async (app, { id, userId }, form) => {
  await updateNetworkStatus(app.db, id, {
    reference: form.get('MessageSid') ?? '',
    status: (form.get('MessageStatus') ?? '').slice(0, 40),
    errorCode: /^\d{1,6}$/.test(form.get('ErrorCode') ?? '') ? Number(form.get('ErrorCode')) : null,
  });
  await app.feed.publish(app.db, userId, runsTopic);
});

const answerShape = z.object({
  from: z.string().check(z.maxLength(40)),
  body: z.string().check(z.maxLength(2_000)),
});

/** From a gateway of one's own, signed as we sign: docs/webhooks.md. */
const gateway: RawRoute = {
  method: 'POST',
  path: '/hooks/sms/{credential_id}',
  bodyLimit,
  async handle(app, call) {
    const found = await findCalled(app, call, 'sms-webhook');
    if (found === null) return nothing;
    const text = Buffer.from(call.bytes).toString('utf8');
    if (!isSigned(found.secret.signing ?? '', call.headers, text, app.clock.nowMs())) return refused;
    const given = answerShape.safeParse(call.json());
    if (!given.success) return { status: 400 };
    await takeAnswer(app, found.row, { id: call.headers['webhook-id'] ?? '', ...given.data });
    return { status: 204 };
  },
};

async function findCalled(app: App, { params }: RawCall, kind: CredentialRow['kind']) {
  const given = uuid.safeParse(params.credential_id);
  const row = given.success ? await findCalledCredential(app.db, given.data) : null;
  if (row?.kind !== kind) return null;
  return { row, secret: JSON.parse(app.keyring.open(row.secret, credentialPlace(row.id))) as CredentialSecret };
}

export const hooks: readonly RawRoute[] = [inbound, status, gateway];
