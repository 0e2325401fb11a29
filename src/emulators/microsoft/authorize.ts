import { htmlReply, type Reply, type Request } from '#emulators/kit/exchange.ts';
import { newCode, shortScope } from './oauth.ts';
import { describeOAuthError, type OAuthError } from './oauth-errors.ts';
import type { Mailbox, World } from './world.ts';

/** Signing in and consenting, as a person sees it. Source: v2-oauth2-auth-code-flow, "Request an authorization code". */

const codeMs = 10 * 60_000;

export function answerAuthorize(world: World, request: Request, nowMs: number): Reply {
  const asked = new URLSearchParams(request.query);
  const given = new URLSearchParams(request.method === 'POST' ? request.body : request.query);
  const refusal = checkClient(world, asked);
  // Without an address that is known to be the client's, an error stays on the page.
  if (refusal) return htmlReply(400, page('Sign in', `<p>${escapeHtml(describeOAuthError(refusal, nowMs))}</p>`));
  if (asked.get('response_type') !== 'code') return redirect(asked, { error: 'unsupported_response_type' });
  if (asked.get('scope') === null) return redirect(asked, { error: 'invalid_request' });
  if (asked.get('code_challenge') !== null && asked.get('code_challenge_method') !== 'S256') {
    return redirect(asked, { error: 'invalid_request' });
  }
  const hint = given.get('account') ?? asked.get('login_hint') ?? '';
  const mailbox = world.mailboxes.get(hint) ?? null;
  if (given.get('decision') === 'deny') {
    const denied: OAuthError = { error: 'access_denied', code: 65004 };
    return redirect(asked, {
      error: 'access_denied',
      error_subcode: 'cancel',
      error_description: describeOAuthError(denied, nowMs),
    });
  }
  if (given.get('decision') === 'allow' && mailbox) return allow(world, asked, mailbox, nowMs);
  const chosen = mailbox ?? [...world.mailboxes.values()][0];
  if (world.knobs.autoConsent && chosen) return allow(world, asked, chosen, nowMs);
  if (asked.get('prompt') === 'none') return redirect(asked, { error: 'interaction_required' });
  return htmlReply(200, consentPage(world, asked, mailbox));
}

function checkClient({ directory: { apps } }: World, asked: URLSearchParams): OAuthError | null {
  const redirectUri = asked.get('redirect_uri') ?? '';
  const app = apps.get(asked.get('client_id') ?? '');
  if (!asked.get('client_id') || (apps.size > 0 && !app)) return { error: 'unauthorized_client', code: 700016 };
  if (!URL.canParse(redirectUri)) return { error: 'invalid_request', code: 500113 };
  if (app && !app.redirectUris.includes(redirectUri)) return { error: 'invalid_request', code: 50011 };
  return null;
}

function allow(world: World, asked: URLSearchParams, mailbox: Mailbox, nowMs: number): Reply {
  const scopes = asked.get('scope')!.split(' ').filter(Boolean).map(shortScope);
  const clientId = asked.get('client_id')!;
  const consented = mailbox.consents.get(clientId) ?? new Set();
  mailbox.consents.set(clientId, new Set([...consented, ...scopes]));
  const code = newCode(world);
  world.directory.codes.set(code, {
    mailbox: mailbox.address,
    clientId,
    scopes,
    expiresAtMs: nowMs + codeMs,
    redirectUri: asked.get('redirect_uri')!,
    challenge: asked.get('code_challenge'),
    nonce: asked.get('nonce'),
    redeemed: false,
  });
  return redirect(asked, { code });
}

function redirect(asked: URLSearchParams, answer: Record<string, string>): Reply {
  const target = new URL(asked.get('redirect_uri')!);
  for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value);
  const state = asked.get('state');
  if (state !== null) target.searchParams.set('state', state);
  return { status: 302, headers: { location: target.href, 'cache-control': 'no-store, no-cache' }, body: '' };
}

/** One form for each account: the choice and the consent are one step here. */
function consentPage({ mailboxes }: World, asked: URLSearchParams, hinted: Mailbox | null): string {
  const scopes = (asked.get('scope') ?? '')
    .split(' ')
    .map(shortScope)
    .filter((scope) => scope !== 'openid');
  const accounts = (hinted ? [hinted] : [...mailboxes.values()]).map(
    ({ address, name }) => `
<form method="post">
  <h2>${escapeHtml(name)}</h2>
  <p>${escapeHtml(address)}</p>
  <input type="hidden" name="account" value="${escapeHtml(address)}">
  <button name="decision" value="allow">Accept</button>
  <button name="decision" value="deny">Cancel</button>
</form>`,
  );
  const wanted = scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('');
  return page(
    'Permissions requested',
    `<p><b>${escapeHtml(asked.get('client_id')!)}</b> would like to:</p><ul>${wanted}</ul>${accounts.join('')}`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head><body><h1>${title}</h1><p>A simulated Microsoft sign-in. No password is asked for, and nothing leaves this machine.</p>${body}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
