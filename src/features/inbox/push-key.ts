import { createECDH, generateKeyPairSync } from 'node:crypto';
import type { App } from '#platform/app.ts';
import { findOrInsertKey, type PushKey } from './store.ts';

const place = { table: 'inbox.push_key', row: 'true', column: 'private_key' };
const keys = new WeakMap<App['keyring'], Promise<PushKey>>();

/** The VAPID key of this install (RFC 8292): the operator's, or its own. It proves the sender to push services. */
export async function getPushKey(app: Pick<App, 'db' | 'keyring' | 'config'>): Promise<PushKey> {
  const { vapidKey } = app.config;
  if (vapidKey !== undefined) return { publicKey: publicHalfOf(vapidKey), privateKey: vapidKey };
  const { publicKey, privateKey } = await getOwnPushKey(app);
  return { publicKey, privateKey: app.keyring.open(privateKey, place) };
}

/** The public key that browsers subscribe with. */
export const getPublicKey = async (app: Pick<App, 'db' | 'keyring' | 'config'>): Promise<string> =>
  app.config.vapidKey === undefined ? (await getOwnPushKey(app)).publicKey : publicHalfOf(app.config.vapidKey);

/** The install's own key, with the private half sealed. Created once and shared by all processes. */
export function getOwnPushKey({ db, keyring }: Pick<App, 'db' | 'keyring'>): Promise<PushKey> {
  let key = keys.get(keyring);
  if (key === undefined) {
    const { publicKey, privateKey } = makeKey();
    key = findOrInsertKey(db, { publicKey, privateKey: keyring.seal(privateKey, place) });
    // a failure (database away) is not remembered
    key.catch(() => keys.delete(keyring));
    keys.set(keyring, key);
  }
  return key;
}

/** A pair of P-256, base64url: the public half as an uncompressed point. */
function makeKey(): PushKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { publicKey: point.toString('base64url'), privateKey: d };
}

function publicHalfOf(privateKey: string): string {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  return pair.getPublicKey('base64url');
}
