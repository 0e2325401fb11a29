import type { accessContract } from '#features/access/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { type Door, doorOf } from '../../rules/entrance.ts';
import { entranceAt, type Going, useEntrance, wishOf } from './use-entrance.ts';

export type SignedIn = Output<typeof accessContract.login>;

/** Whether an answer is a session, or a challenge to go on with. */
export const leadsOn = ({ next, session, session_token }: SignedIn): boolean =>
  (next === null ? session_token : session) !== null;

/** To a page of the app, or whatever else the server has at an address of ours. */
export function leaveFor(to: string): void {
  location.replace(to);
}

/**
 * The last step of every way in: on to what the person wanted, or to the second factor, with the challenge in the
 * history entry and in no address.
 */
export function useComeIn(door?: Door): (answer: SignedIn, going?: Going) => void {
  const { place, go } = useEntrance();
  const wish = wishOf(place, door ?? doorOf(place.path));
  return (answer, going) => {
    if (!leadsOn(answer)) return;
    const { next, session } = answer;
    if (next === null) leaveFor(wish);
    else {
      const path = next === 'MFA_ENROLL' ? '/mfa/enroll' : '/mfa/verify';
      go(entranceAt(path, wish), { ...going, carried: { challenge: session ?? undefined } });
    }
  };
}
