import { describe, expect, it } from 'vitest';
import { createMirrorSigner } from '#platform/mirror-signer.ts';
import { eventIdOf, mirrorUidOf } from './mirror-id.ts';

const signer = createMirrorSigner(Buffer.alloc(32, 7));
const origin = { targetCalendarId: 'a', originCalendarId: 'b', originUid: 'c', recId: null };

describe('event ids of mirrors', () => {
  it('an event id of a mirror is valid for Google and unique per origin and generation', () => {
    const ids = [
      eventIdOf(signer.identityOf(origin, 1)),
      eventIdOf(signer.identityOf(origin, 2)),
      eventIdOf(signer.identityOf({ ...origin, recId: '20270308' }, 1)),
    ];
    for (const id of ids) expect(id).toMatch(/^[0-9a-v]{5,1024}$/);
    expect(new Set(ids).size).toBe(3);
  });

  it('an event id gives the UID of its mirror', () => {
    for (const generation of [1, 2, 37]) {
      const identity = signer.identityOf(origin, generation);
      expect(mirrorUidOf(eventIdOf(identity), signer)).toBe(identity.uid);
    }
  });

  it('an event id that is changed, made up or of another install gives no UID', () => {
    const id = eventIdOf(signer.identityOf(origin, 1));
    const stranger = createMirrorSigner(Buffer.alloc(32, 8));
    expect(mirrorUidOf(eventIdOf(stranger.identityOf(origin, 1)), signer)).toBeNull();
    for (const other of [`0${id}`, `${id}00`, id.replace('g1g', 'g2g'), '5s2v3h1g4ag', `${id}_20270308`, '']) {
      expect(mirrorUidOf(other, signer)).toBeNull();
    }
  });
});
