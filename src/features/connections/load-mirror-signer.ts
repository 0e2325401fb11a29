import { randomBytes } from 'node:crypto';
import type { App } from '#platform/app.ts';
import type { MirrorSigner } from '#platform/mirror-signer.ts';
import { createMirrorSigner } from '#platform/mirror-signer.ts';
import { findOrInsertMirrorSecret } from './store/connections.ts';

const mirrorSecretPlace = { table: 'connections.install', row: 'true', column: 'mirror_secret' };
const signers = new WeakMap<App['keyring'], Promise<MirrorSigner>>();

/** Signs and recognises this install's blocks. The secret is made once and the same in every process. */
export function loadMirrorSigner(app: Pick<App, 'db' | 'keyring'>): Promise<MirrorSigner> {
  let signer = signers.get(app.keyring);
  if (signer === undefined) {
    const candidate = app.keyring.seal(randomBytes(32).toString('base64'), mirrorSecretPlace);
    signer = findOrInsertMirrorSecret(app.db, candidate).then((sealed) =>
      createMirrorSigner(Buffer.from(app.keyring.open(sealed, mirrorSecretPlace), 'base64')),
    );
    // a failure (database away) is not remembered
    signer.catch(() => signers.delete(app.keyring));
    signers.set(app.keyring, signer);
  }
  return signer;
}
