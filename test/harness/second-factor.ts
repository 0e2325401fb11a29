import { generateSync } from 'otplib';
import { accessContract } from '#features/access/contract.ts';
import type { TestApp } from './test-app.ts';
import { clientOf, type TestUser } from './test-client.ts';

export interface EnrolledUser extends TestUser {
  /** Key in the person's authenticator app. */
  key: string;
  backupCodes: string[];
}

/** Returns the authenticator code, `steps` of 30 s from now. */
export function codeOf(key: string, server: TestApp, steps = 0): string {
  return generateSync({ secret: key, epoch: Math.floor(server.app.clock.nowMs() / 1000) + 30 * steps });
}

/** Gives a person a second factor, set up in their session. The code of this time step is then used. */
export async function enrolUser(server: TestApp, user: TestUser): Promise<EnrolledUser> {
  const { session, base32Secret: key } = await user.as(accessContract).startEnrolment({ body: {} });
  const answer = await user.as(accessContract).finishEnrolment({ body: { session, code: codeOf(key, server) } });
  const token = answer.session_token;
  if (token === null) throw new Error('no session came of an enrolment');
  return {
    ...user,
    token,
    key,
    backupCodes: answer.backupCodes,
    as: (contract) => clientOf(server, contract, token),
  };
}
