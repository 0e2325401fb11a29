import type { Moment } from '#emulators/kit/emulator.ts';
import { type Reply, type Request, reply } from '#emulators/kit/exchange.ts';
import { pageReply } from '#emulators/kit/page.ts';
import { isLoopback } from '#emulators/kit/send-to-loopback.ts';
import { html, type Markup } from '#kernel/html.ts';
import { googleBrand } from './brand.ts';
import { scope } from './call.ts';
import { addUser, type Grant, nextSecret, type World } from './world.ts';

/**
 * The authorization endpoint: a person chooses an account, unticks what is too much, allows or denies.
 * Source: "Using OAuth 2.0 for Web Server Applications"; "How to handle granular permissions"; RFC 6749 section 4.1.
 */
export function answerAuthorize(world: World, request: Request, moment: Moment): Reply {
  const form = new URLSearchParams(request.method === 'POST' ? request.body : '');
  const query = new URLSearchParams(request.query);
  const problem = findProblem(world, query);
  // Nothing is sent to an address that is not known to be the client's.
  if (problem) return errorPage(problem);
  if (query.get('response_type') !== 'code') return back(query, { error: 'unsupported_response_type' });
  const auto = world.knobs.autoConsent;
  if (request.method === 'GET' && !auto) return consentPage(world, query);
  const asked = askedScopes(query);
  const email = (auto?.account ?? form.get('other')?.trim()) || form.get('account') || '';
  if (auto?.deny || form.get('decision') === 'deny') return back(query, { error: 'access_denied' });
  if (!/^\S+@\S+$/.test(email)) return consentPage(world, query, 'Choose an account, or write an address.');
  const ticked = auto ? (auto.scopes ?? asked) : form.getAll('scope');
  const granted = asked.filter((name) => ALWAYS.includes(name) || ticked.includes(name));
  return allow(world, query, email.toLowerCase(), granted, moment.nowMs);
}

/** Not for unticking: they tell who the person is. */
const ALWAYS = ['openid', 'email', 'profile', scope('userinfo.email'), scope('userinfo.profile')];

interface Problem {
  status: number;
  code: string;
  text: string;
}

function findProblem(world: World, query: URLSearchParams): Problem | null {
  const client = world.knobs.clients[query.get('client_id') ?? ''];
  if (!client) return { status: 401, code: 'invalid_client', text: 'The OAuth client was not found.' };
  const address = query.get('redirect_uri') ?? '';
  const isKnown = client.redirectUris.includes(address);
  const isOpen = client.redirectUris.length === 0 && URL.canParse(address) && isLoopback(address);
  if (isKnown || isOpen) return null;
  return {
    status: 400,
    code: 'redirect_uri_mismatch',
    text: `The redirect URI in the request, ${address}, is not one of those registered for the client.`,
  };
}

function askedScopes(query: URLSearchParams): string[] {
  return (query.get('scope') ?? '').split(' ').filter((name) => name !== '');
}

function allow(world: World, query: URLSearchParams, email: string, granted: string[], nowMs: number): Reply {
  const user = world.users.get(email) ?? addUser(world, email, nameOf(email), 'Europe/Berlin');
  const clientId = query.get('client_id')!;
  const known = world.grants.find((one) => one.user === user.email && one.clientId === clientId && !one.revoked);
  const isFirst = known === undefined;
  const grant: Grant = known ?? { user: user.email, clientId, scopes: new Set(), revoked: false };
  if (isFirst) world.grants.push(grant);
  for (const name of granted) grant.scopes.add(name);
  const scopes = query.get('include_granted_scopes') === 'true' ? [...grant.scopes] : granted;
  const code = nextSecret(world, '4/0A');
  world.codes.set(code, {
    grant,
    scopes,
    redirectUri: query.get('redirect_uri')!,
    challenge: query.get('code_challenge'),
    challengeMethod: query.get('code_challenge_method') ?? 'plain',
    nonce: query.get('nonce'),
    offline: query.get('access_type') === 'offline' && (isFirst || prompts(query).includes('consent')),
    issuedAtMs: nowMs,
    used: false,
  });
  return back(query, { code, scope: scopes.join(' '), authuser: '0', prompt: 'consent' });
}

const prompts = (query: URLSearchParams) => (query.get('prompt') ?? '').split(' ');

function back(query: URLSearchParams, answer: Record<string, string>): Reply {
  const target = new URL(query.get('redirect_uri')!);
  const state = query.get('state');
  if (state !== null) target.searchParams.set('state', state);
  for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value);
  return reply(302, { location: target.href });
}

function nameOf(email: string): string {
  return email
    .split('@')[0]!
    .split(/[._-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

const MEANING: Record<string, string> = {
  calendar: 'See, edit, share, and permanently delete all the calendars you can access',
  'calendar.readonly': 'See and download any calendar you can access',
  'calendar.events': 'View and edit events on all your calendars',
  'calendar.events.owned': 'See, create, change, and delete events on calendars you own',
  'calendar.events.readonly': 'View events on all your calendars',
  'calendar.events.freebusy': 'See the availability on calendars you have access to',
  'calendar.freebusy': 'View your availability in your calendars',
  'calendar.calendarlist.readonly': 'See the list of calendars you’re subscribed to',
  'calendar.app.created': 'Make secondary calendars, and see, create, change, and delete events on them',
};

function consentPage(world: World, query: URLSearchParams, problem?: string): Reply {
  const hint = query.get('login_hint');
  const accounts = [...world.users.values()];
  const asked = askedScopes(query).filter((name) => !ALWAYS.includes(name));
  const body = html`<div class="card narrow">
<h1>Sign in to a simulated account</h1>
<p class="soft">${asked.length === 0 ? 'Holdfast wants to know who you are.' : 'Holdfast wants to reach this account.'} This is for trying out only: nobody checks who you are, and nothing leaves this machine.</p>
${problem && html`<p class="danger" role="alert">${problem}</p>`}
<form method="post" action="?${query.toString()}">
<fieldset><legend>Account</legend>
${accounts.map((user, i) => choice(user.email, user.name, hint === null ? i === 0 : hint === user.email))}
<label>Another address <input name="other" type="email" autocomplete="off" placeholder="name@example.com" value="${hint !== null && !world.users.has(hint) ? hint : ''}"></label>
</fieldset>
${asked.length > 0 && html`<fieldset><legend>Holdfast may</legend>${asked.map(permission)}</fieldset>`}
<div class="row"><button class="main" name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></div>
</form></div>`;
  return pageReply({ title: 'Choose an account', brand: googleBrand, body, status: problem ? 400 : 200 });
}

function choice(email: string, name: string, checked: boolean): Markup {
  return html`<label class="check"><input type="radio" name="account" value="${email}" ${checked && 'checked'}><span>${name}<br><span class="soft">${email}</span></span></label>`;
}

function permission(name: string): Markup {
  const short = name.replace(scope(''), '');
  return html`<label class="check"><input type="checkbox" name="scope" value="${name}" checked><span>${MEANING[short] ?? short}</span></label>`;
}

function errorPage({ status, code, text }: Problem): Reply {
  const body = html`<div class="card narrow"><h1>Access blocked</h1><p>${text}</p><p class="soft">Error ${status}: ${code}</p></div>`;
  return pageReply({ title: `Error ${status}: ${code}`, brand: googleBrand, body, status });
}
