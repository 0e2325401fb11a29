import type { Reply, Request } from '#emulators/kit/exchange.ts';
import { pageReply } from '#emulators/kit/page.ts';
import { html, type Markup } from '#kernel/html.ts';
import { microsoftBrand } from './brand.ts';
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
  if (refusal) return errorPage(refusal, nowMs);
  if (asked.get('response_type') !== 'code') return redirect(asked, { error: 'unsupported_response_type' });
  if ((asked.get('response_mode') ?? 'query') !== 'query') return redirect(asked, { error: 'invalid_request' });
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
  return consentPage(world, asked, given.get('decision') === 'allow' ? 'Choose an account.' : undefined);
}

function checkClient({ directory: { apps } }: World, asked: URLSearchParams): OAuthError | null {
  const redirectUri = asked.get('redirect_uri') ?? '';
  const app = apps.get(asked.get('client_id') ?? '');
  if (!asked.get('client_id') || (apps.size > 0 && !app)) return { error: 'unauthorized_client', code: 700016 };
  if (!URL.canParse(redirectUri)) return { error: 'invalid_request', code: 500113 };
  if (app && !app.redirectUris.includes(redirectUri)) return { error: 'invalid_request', code: 50011 };
  return null;
}

function askedScopes(asked: URLSearchParams): string[] {
  return asked.get('scope')!.split(' ').filter(Boolean).map(shortScope);
}

function allow(world: World, asked: URLSearchParams, mailbox: Mailbox, nowMs: number): Reply {
  const scopes = askedScopes(asked);
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

const meaning: Record<string, string> = {
  'calendars.read': 'Read your calendars',
  'calendars.readwrite': 'Have full access to your calendars',
  'calendars.read.shared': 'Read calendars you can access',
  'calendars.readwrite.shared': 'Read and write to your and shared calendars',
  'user.read': 'Sign you in and read your profile',
  offline_access: 'Maintain access to data you have given it access to',
};

function consentPage({ mailboxes }: World, asked: URLSearchParams, problem?: string): Reply {
  const hint = asked.get('login_hint');
  const accounts = mailboxes.has(hint ?? '') ? [mailboxes.get(hint!)!] : [...mailboxes.values()];
  const scopes = askedScopes(asked).flatMap((scope) => meaning[scope.toLowerCase()] ?? []);
  const body = html`<div class="card narrow">
<h1>Sign in to a simulated account</h1>
<p class="soft">${scopes.length === 0 ? 'Holdfast wants to know who you are.' : 'Holdfast wants to reach this account.'} This is for trying out only: nobody checks who you are, and nothing leaves this machine.</p>
${problem && html`<p class="danger" role="alert">${problem}</p>`}
<form method="post" action="?${asked.toString()}">
<fieldset><legend>Account</legend>${accounts.map(({ address, name }, i) => choice(address, name, i === 0))}</fieldset>
${scopes.length > 0 && html`<fieldset><legend>Holdfast would like to</legend><ul>${scopes.map((text) => html`<li>${text}</li>`)}</ul></fieldset>`}
<div class="row"><button class="main" name="decision" value="allow">Accept</button><button name="decision" value="deny">Cancel</button></div>
</form></div>`;
  return pageReply({ title: 'Permissions requested', brand: microsoftBrand, body, status: problem ? 400 : 200 });
}

function choice(address: string, name: string, checked: boolean): Markup {
  return html`<label class="check"><input type="radio" name="account" value="${address}" ${checked && 'checked'}><span>${name}<br><span class="soft">${address}</span></span></label>`;
}

function errorPage(refusal: OAuthError, nowMs: number): Reply {
  const [sentence, ...rest] = describeOAuthError(refusal, nowMs).split('\r\n');
  const body = html`<div class="card narrow"><h1>Sorry, but we’re having trouble signing you in.</h1><p>${sentence}</p><p class="soft">${rest.join(', ')}</p></div>`;
  return pageReply({ title: 'Sign in', brand: microsoftBrand, body, status: 400 });
}
