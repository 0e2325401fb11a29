import { useRef, useState } from 'react';
import type { accessContract } from '#features/access/contract.ts';
import { ApiError, parseAnswer, refusalOf, silence } from '#kernel/api-error.ts';
import type { CallInput, Output } from '#kernel/contract.ts';
import { canSolve, solve } from '#kernel/solve-challenge.ts';

/** The calls of the entrances. A test holds them to the contract, whose schemas would be a fifth of what an entrance loads. */
export const accessCalls = {
  login: '/auth/login',
  signup: '/auth/signup',
  verifyEmail: '/auth/verify-email',
  resendVerification: '/auth/verify-email/resend',
  forgotPassword: '/auth/password/forgot',
  resetPassword: '/auth/password/reset',
  verifyMfa: '/auth/mfa/verify',
  consumeBackupCode: '/auth/mfa/backup/consume',
  askForPasskey: '/auth/passkey/options',
  verifyPasskey: '/auth/passkey/verify',
  exchangeSignIn: '/auth/oauth/exchange',
} as const satisfies Partial<Record<keyof typeof accessContract, string>>;

type Name = keyof typeof accessCalls;
type Body<N extends Name> = CallInput<(typeof accessContract)[N]> extends { body: infer B } ? B : undefined;
type Answer<N extends Name> = Output<(typeof accessContract)[N]>;

/** Under load a browser calculates first, and calls again. *Errors*: ApiError. */
export async function callAccess<N extends Name>(name: N, body: Body<N>): Promise<Answer<N>> {
  try {
    return await post(name, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CHALLENGE') throw error;
    const solution = canSolve() ? await solve(error.fields.challenge ?? '') : null;
    return post(name, { ...(body as object), solution: solution ?? '' } as Body<N>);
  }
}

async function post<N extends Name>(name: N, body: Body<N>): Promise<Answer<N>> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(accessCalls[name], {
      method: 'POST',
      credentials: 'include',
      headers: { accept: 'application/json' },
      ...(body === undefined ? {} : asJson(body as object)),
    });
    text = await answer.text();
  } catch (cause) {
    throw silence(cause);
  }
  const data = parseAnswer(text);
  if (!answer.ok) throw refusalOf(answer, data);
  return data as Answer<N>;
}

const asJson = (body: object) => ({
  headers: { accept: 'application/json', 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

interface Ends<A> {
  done?: (answer: A) => void;
  failed?: () => void;
}

/** One act at a time, with what became of it: while it is under way a second press does nothing. */
export function useAct<Given, A>(act: (given: Given) => Promise<A>) {
  const [state, setState] = useState<{ pending: boolean; error?: unknown; answer?: A }>({ pending: false });
  const busy = useRef(false);
  const start = async (given: Given, { done, failed }: Ends<A> = {}) => {
    if (busy.current) return;
    busy.current = true;
    setState({ pending: true });
    try {
      const answer = await act(given);
      setState({ pending: false, answer });
      done?.(answer);
    } catch (error) {
      setState({ pending: false, error });
      failed?.();
    } finally {
      busy.current = false;
    }
  };
  return {
    ...state,
    start: (given: Given, ends?: Ends<A>) => void start(given, ends),
    forget: () => setState({ pending: false }),
    /** A refusal is about what was sent: for the `onInput` of its form. */
    forgetError: () => setState((now) => (now.error === undefined ? now : { pending: false })),
  };
}

export const codeOf = (error: unknown): string | undefined => (error instanceof ApiError ? error.code : undefined);
