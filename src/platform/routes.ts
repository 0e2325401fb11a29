import type { Contract, Endpoint, Input, Output } from '#kernel/contract.ts';
import type { Tongue } from '#kernel/languages.ts';
import type { Actor } from './actor.ts';
import type { App } from './app.ts';
import type { Log } from './log.ts';

/** Facts of a request for use cases. */
export interface RequestFacts {
  /** Finds the request in the log; also in the answer's `x-request-id`. */
  readonly id: string;
  readonly ip: string;
  readonly userAgent: string | undefined;
  /** Locale of the reader; absent without a browser. */
  readonly tongue?: Tongue | undefined;
  /** As it came; endpoints that take one say so. */
  readonly idempotencyKey?: string | undefined;
  /** Visitor facts for pages that count visits. */
  readonly onlooker?: Onlooker | undefined;
  /** Whether the connection has closed, so that nobody reads the answer. */
  readonly isGone?: (() => boolean) | undefined;
}

/** The facts that decide whether a visitor is counted. */
export interface Onlooker {
  /** Do Not Track, or Global Privacy Control. */
  readonly asksNotToBeTracked: boolean;
  /** Whether the browser reads ahead, before anybody looks. */
  readonly isPrefetch: boolean;
  /** Session token of the signed-in person. */
  readonly sessionToken: string | undefined;
}

/** The request for a trace: the pattern of its path, never the path itself. */
export interface Asked {
  readonly method: string;
  readonly route: string;
  readonly requestId: string;
}

/**
 * Tells who a token belongs to, or null. `renewedForSeconds` when this use has prolonged the session; `trace` where what is
 * asked for has to be written down before it is answered.
 */
export type Authenticate = (
  app: App,
  token: string,
  request: RequestFacts,
) => Promise<{
  actor: Actor;
  renewedForSeconds?: number | undefined;
  trace?: ((asked: Asked) => Promise<void>) | undefined;
} | null>;

/** The browser's half of a session. */
export interface SessionCookie {
  set(token: string, lifetimeSeconds: number): void;
  clear(): void;
}

/** Sealed notes that the browser keeps while its person is elsewhere. One of each kind at a time. */
export interface BrowserNote {
  leave(text: string, lifetimeSeconds: number, kind?: NoteKind): void;
  /** Gives it and takes it away; null where there is none of ours. */
  take(kind?: NoteKind): string | null;
  /** Gives it and leaves it; null where there is none of ours. */
  read(kind: NoteKind): string | null;
  /** Whether the browser is at this machine and opened the address that the start printed. */
  hasOperatorKey(): boolean;
}

/**
 * The way to an authorization server (the default), the question to an authenticator, the browser that signed in, the message after a
 * redirect, the last booking and the last reservation of a browser, and the account that signed up in it.
 */
export type NoteKind = 'note' | 'passkey' | 'device' | 'outcome' | 'booked' | 'held' | 'signed-up';

/** Lifetime of an outcome: the page takes it at once. A message in an address may be anybody's, so pages show none. */
export const outcomeSeconds = 60;

type Caller<E extends Endpoint> = E['auth'] extends 'public' ? Actor | null : Actor;

export interface Context<E extends Endpoint> {
  readonly app: App;
  /** Null only on public endpoints. */
  readonly actor: Caller<E>;
  readonly input: Input<E>;
  readonly request: RequestFacts;
  readonly cookie: SessionCookie;
  readonly note: BrowserNote;
  /** Writes under the request id. */
  readonly log: Log;
}

export type Handler<E extends Endpoint> = (context: Context<E>) => Promise<Output<E>> | Output<E>;
export type Handlers<C extends Contract> = { readonly [K in keyof C]: Handler<C[K]> };

/** One endpoint with what serves it. The types have been checked by `bindRoutes`, so they are plain here. */
export interface Route {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly handle: (context: Context<Endpoint>) => unknown;
}

export type RouteGroup = readonly Route[];

/**
 * Binds every entry of a contract to its handler; a missing, surplus or mistyped handler does not compile.
 *
 *     export const routes = bindRoutes(thingsContract, {
 *       renameThing: ({ app, actor, input }) => renameThing(app, actor, input.params.thingId, input.body),
 *     });
 */
export function bindRoutes<C extends Contract>(contract: C, handlers: Handlers<NoInfer<C>>): RouteGroup {
  return Object.entries(contract).map(([name, endpoint]) => ({
    name,
    endpoint,
    handle: handlers[name] as unknown as Route['handle'],
  }));
}
