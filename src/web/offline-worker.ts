/**
 * The service worker of an installed Holdfast. Without a connection, the shell opens and the last seen weeks can be
 * read. Without an open window, it shows the notices that its person wants on this device. It never changes data, and
 * drops the copy with the session. `scripts/build-service-worker.ts` puts the names of the files in front.
 */
declare const self: ServiceWorkerGlobalScope;

/** `build` changes with any file; `screens`: first parts of the addresses that the shell answers at. */
declare const shell: { build: string; files: readonly string[]; screens: readonly string[] };

const shellCache = `shell-${shell.build}`;
const seenCache = 'seen';
/** When it was kept, in epoch milliseconds. */
const seenHeader = 'x-seen-ms';
const shellPage = '/calendar';
/** A week and a month with their neighbours are eight answers. */
const mostSeen = 80;

/** Whether a path is part of the calendar's data. */
const isSeen = (path: string) =>
  /^\/api\/(?:session|account\/profile|calendars|calendars\/events|edits|notices)$/.test(path);

/** Grows when what was seen is thrown away: an answer that was asked for before is not kept. */
let sessions = 0;

async function forget(): Promise<void> {
  sessions += 1;
  await caches.delete(seenCache);
}

/** Removes the push subscription and shown notices, because nobody is signed in here. */
async function silence(): Promise<void> {
  const { pushManager } = self.registration;
  const [agreed, shown] = await Promise.all([pushManager.getSubscription(), self.registration.getNotifications()]);
  for (const notice of shown) notice.close();
  await agreed?.unsubscribe();
}

async function install(): Promise<void> {
  const cache = await caches.open(shellCache);
  await cache.addAll(shell.files);
  await cache.add(new Request(shellPage, { headers: { accept: 'text/html' } }));
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== shellCache);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Files with a hash in their names never change. */
async function answerFile(request: Request): Promise<Response> {
  const cache = await caches.open(shellCache);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** The operator may give it another name or look at any time; what another build shows is kept with that one's files. */
async function keepPage(answer: Response): Promise<void> {
  const page = await answer.clone().text();
  if (!page.includes(`/index-${shell.build}.js`)) return;
  const cache = await caches.open(shellCache);
  await cache.put(shellPage, answer);
}

async function answerPage(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request);
    if (answer.ok) await keepPage(answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match(shellPage, { cacheName: shellCache, ignoreVary: true });
    if (kept === undefined) throw error;
    return kept;
  }
}

/** The server's word where it can be had; else what it said last, and the page is told when that was. */
async function answerSeen({ request, clientId }: FetchEvent): Promise<Response> {
  const begun = sessions;
  try {
    const answer = await fetch(request);
    if (answer.status === 401) await forget();
    else if (answer.ok && begun === sessions) {
      const isSomebody = await forgetOthers(request, answer);
      if (isSomebody) await keep(request, answer.clone());
    }
    return answer;
  } catch (error) {
    const kept = await caches.match(request, { cacheName: seenCache, ignoreVary: true });
    if (kept === undefined) throw error;
    const client = await self.clients.get(clientId);
    client?.postMessage({ seenMs: Number(kept.headers.get(seenHeader)) });
    return kept;
  }
}

/**
 * Clears the copy when another person signs in without a sign-out, as an impersonating administrator does. False:
 * nobody is signed in.
 */
async function forgetOthers(request: Request, answer: Response): Promise<boolean> {
  if (!request.url.endsWith('/api/session')) return true;
  const before = await caches.match(request, { cacheName: seenCache, ignoreVary: true });
  const person = await personOf(answer.clone());
  if (before !== undefined && (await personOf(before)) !== person) await forget();
  return person !== undefined;
}

async function personOf(answer: Response): Promise<string | undefined> {
  const { user } = (await answer.json()) as { user: { user_id: string } | null };
  return user?.user_id;
}

async function keep(request: Request, answer: Response): Promise<void> {
  const cache = await caches.open(seenCache);
  const headers = new Headers(answer.headers);
  headers.set(seenHeader, `${Date.now()}`);
  await cache.put(request, new Response(answer.body, { status: answer.status, headers }));
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - mostSeen)).map((oldest) => cache.delete(oldest)));
}

/** Written by the server, in the language of its person; a newer one about the same takes the place of the older. */
interface Notice {
  title: string;
  body: string;
  to: string;
  tag: string;
}

async function show(message: PushMessageData | null): Promise<void> {
  if (message === null) return;
  const { title, body, to, tag } = message.json() as Notice;
  await self.registration.showNotification(title, { body, tag, icon: '/icons/192.png', data: { to } });
}

const isScreen = (url: URL) => shell.screens.includes(url.pathname.split('/')[1] ?? '');

/** In a window that is open, which asks its person if they would lose something by it; else in a new one. */
async function open(to: string): Promise<void> {
  const url = new URL(to, self.location.origin);
  if (url.origin !== self.location.origin || !isScreen(url)) return;
  const windows = (await self.clients.matchAll({ type: 'window' })).filter((one) => isScreen(new URL(one.url)));
  const window = windows.find((one) => one.visibilityState === 'visible') ?? windows[0];
  if (window === undefined) {
    await self.clients.openWindow(url);
    return;
  }
  window.postMessage({ openTo: url.pathname + url.search });
  await window.focus();
}

/** The browser has another address for this device now. */
async function agreeAgain(key: BufferSource | null | undefined): Promise<void> {
  if (key == null) return;
  const agreed = await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = agreed.toJSON();
  const body = JSON.stringify({ endpoint, keys });
  await fetch('/api/account/devices/current', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
}

function answerTo(event: FetchEvent): Promise<Response> | null {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return null;
  if (request.mode === 'navigate') {
    const [, first = ''] = pathname.split('/');
    return shell.screens.includes(first) ? answerPage(request) : null;
  }
  if (/^\/(?:assets|brand)\//.test(pathname)) return answerFile(request);
  if (isSeen(pathname)) return answerSeen(event);
  if (shell.files.includes(pathname)) return fetch(request).catch(() => answerFile(request));
  return null;
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
  if (event.data === 'forget') event.waitUntil(Promise.all([forget(), silence()]));
});
self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { to: string }).to));
});
self.addEventListener('pushsubscriptionchange', (event) => {
  const { oldSubscription } = event as Event & { oldSubscription?: PushSubscription | null };
  (event as ExtendableEvent).waitUntil(agreeAgain(oldSubscription?.options.applicationServerKey));
});
self.addEventListener('fetch', (event) => {
  const answer = answerTo(event);
  if (answer !== null) event.respondWith(answer);
});
