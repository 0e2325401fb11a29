import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** Faults of an authenticator. */
export interface Misbehaviour {
  /** The page it believes to be asked from. */
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Whether it saw its person's PIN, finger or face. */
  userVerified?: boolean;
  signCount?: number;
  userHandle?: string;
  /** Signs with another key than the one it showed. */
  key?: KeyObject;
}

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

interface RequestOptions {
  challenge: string;
  rpId: string;
}

/** One passkey in software: ES256, attestation `none`. Source: Web Authentication Level 3, 6.1 and 6.5. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle = randomBytes(16).toString('base64url');
  signCount = 0;

  constructor(origin = 'http://localhost') {
    this.#origin = origin;
  }

  create(options: CreationOptions, wrong: Misbehaviour = {}) {
    this.#userHandle = options.user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const coordinate = (text: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')]);
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const publicKey = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      coordinate(x),
      Buffer.from([0x22]),
      coordinate(y),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, publicKey]);
    const authData = this.#authData(wrong.rpId ?? options.rp.id, 0x40, attested, wrong);
    const size = Buffer.from([0x58, authData.length]);
    const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
    // {fmt: "none", attStmt: {}, authData}
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      size,
      authData,
    ]);
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, wrong).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    };
  }

  get(options: RequestOptions, wrong: Misbehaviour = {}) {
    const clientData = this.#clientData('webauthn.get', options.challenge, wrong);
    const authData = this.#authData(wrong.rpId ?? options.rpId, 0, Buffer.alloc(0), wrong);
    const signature = createSign('sha256')
      .update(authData)
      .update(createHash('sha256').update(clientData).digest())
      .sign(wrong.key ?? this.#keys.privateKey);
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: wrong.userHandle ?? this.#userHandle,
    };
  }

  #clientData(type: string, challenge: string, wrong: Misbehaviour): Buffer {
    const { origin = this.#origin } = wrong;
    return Buffer.from(JSON.stringify({ type, challenge: wrong.challenge ?? challenge, origin, crossOrigin: false }));
  }

  #authData(rpId: string, moreFlags: number, attested: Buffer, wrong: Misbehaviour): Buffer {
    const { userVerified = true, signCount = this.signCount } = wrong;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    const flags = Buffer.from([0x01 | (userVerified ? 0x04 : 0) | moreFlags]);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flags, count, attested]);
  }
}
