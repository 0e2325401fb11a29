import { createECDH, createPrivateKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import type { Role } from './app.ts';
import type { Mailbox } from './mail-message.ts';

/** A setting that cannot work. Its message is the one line the person who starts the server sees. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

export type Config = Readonly<{
  environment: 'production' | 'development' | 'test';
  role: Role;
  host: string;
  port: number;
  /** Origin that browsers use, without a trailing slash. */
  publicUrl: string;
  /** The operator has said so: others than the person at this machine may come. */
  hasPublicUrl: boolean;
  /** Absent: a private cluster under `dataDir`. */
  databaseUrl: string | undefined;
  /** Absolute. */
  dataDir: string;
  /** `kid:base64,...`, the first one seals; absent: a key file under `dataDir`. */
  encryptionKeys: string | undefined;
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  logFormat: 'auto' | 'json' | 'pretty';
  /** `host:port` of calendar servers that accounts may be on although their addresses are private. */
  caldavAllowPrivate: readonly string[];
  /** Proxies whose forwarded addresses are believed: none, the one in front, or these addresses. */
  trustProxy: boolean | readonly string[];
  /** Browsers are told to use https for every host below this one too. */
  hstsIncludesSubdomains: boolean;
  /** Bearer token for `/metrics`; absent: only this machine may read it, with the key that the start prints. */
  metricsToken: string | undefined;
  /** Server that takes our mail: `smtp://user:password@host:587` or `smtps://…:465`; absent: mail stays in the outbox. */
  smtpUrl: string | undefined;
  /** Sender of our mail. */
  mailFrom: Mailbox;
  /** People at this machine can read unsent mail at /dev/mail: there is no SMTP server, and the install is local. */
  showsMail: boolean;
  /** Whether people can read our mail: there is an SMTP server, or the mail page of this machine. */
  canMail: boolean;
  /** Our registrations at providers of calendars; absent: the operator has made none. */
  google: Registration | undefined;
  microsoft: (Registration & { tenant: string }) | undefined;
  /** Our registrations where people only sign in; `url` is of the authorisation server. */
  apple: AppleRegistration | undefined;
  /** Key for notices on devices (RFC 8292), instead of the generated one. */
  vapidKey: string | undefined;
  zoho: (Registration & { url: string }) | undefined;
  /** Addresses that differ from the provider's own, by name: `GOOGLE_API_URL` is google's `apiUrl`. */
  endpoints: Readonly<
    Record<'google' | 'microsoft' | 'twilio' | 'slack' | 'hubspot' | 'stripe', Readonly<Record<string, string>>>
  >;
  /** Where backups are put by themselves; absent: none are made, other than before an upgrade. */
  backupDir: string | undefined;
  /** So many of those are kept. */
  backupKeep: number;
  backupEveryHours: number;
  /** A backup is made before migrations run on a database with people in it. */
  backsUpBeforeUpgrade: boolean;
  /** Where people pay; absent: nobody is asked for money, and everything is included. */
  stripe: StripeAccount | undefined;
  /** People may connect simulated accounts. */
  simulatedProviders: boolean;
  /** Operator of this install, as far as configured. */
  operator: Readonly<{
    name: string | undefined;
    contact: string | undefined;
    blog: string | undefined;
    /** Address of the script that counts visits of the site's own pages for them. */
    analyticsScript: string | undefined;
  }>;
}>;

/** A client registered at an authorisation server. */
export type Registration = Readonly<{ clientId: string; clientSecret: string }>;

/** Our account at Stripe; `simulated` as its key is an emulated one. */
export type StripeAccount = Readonly<{ secretKey: string; webhookSecret: string; automaticTax: boolean }>;

/** Apple's clients have a key instead of a secret. */
export type AppleRegistration = Readonly<{
  clientId: string;
  teamId: string;
  keyId: string;
  privateKey: string;
  url: string;
}>;

/** Published examples and the first things people type. A sealed secret is worth as much as its key. */
const weakKeyWords = /change-?me|secret|password|example|default|holdfast|12345|test/i;

const list = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

const hostAndPort = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):\d{1,5}$/;
const address = /^([0-9a-fA-F:.]+(\/\d{1,3})?|loopback|linklocal|uniquelocal)$/;

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === '';
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  // unlike nodemailer, which takes any option from there
  return /^(\?tls=(required|optional))?$/.test(url.search) && /^\/?$/.test(url.pathname) && url.hash === '';
}

/** `Name <box@host>` or just the address; null for anything else. */
function readMailbox(text: string): Mailbox | null {
  const [, name, address] = /^(?:([^<>"\p{Cc}]{0,100}?)\s*<([^<>]+)>|[^<>]+)$/u.exec(text) ?? [];
  const found = { name: name === undefined || name === '' ? 'Holdfast' : name, address: address ?? text };
  return /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}$/.test(found.address) ? found : null;
}

/** A public address of `https://[::1]:3000` has no domain of its own. */
function defaultMailbox(publicUrl: string): Mailbox {
  const { hostname } = new URL(publicUrl);
  return { name: 'Holdfast', address: `no-reply@${/^[A-Za-z0-9.-]+$/.test(hostname) ? hostname : 'localhost'}` };
}

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^postgres(ql)?:$/.test(url.protocol);
}

function areKeys(text: string): boolean {
  const entries = list(text).map((entry) => {
    const colon = entry.indexOf(':');
    return { kid: entry.slice(0, colon), key: entry.slice(colon + 1) };
  });
  return (
    entries.length > 0 &&
    new Set(entries.map((entry) => entry.kid)).size === entries.length &&
    entries.every(({ kid, key }) => /^[A-Za-z0-9_-]{1,32}$/.test(kid) && isStrongKey(key))
  );
}

function isStrongKey(base64: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(base64)) return false;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === 32 && new Set(bytes).size >= 12 && !weakKeyWords.test(bytes.toString('latin1'));
}

/** PKCS #8 in PEM; its lines may be joined by `\\n`, as an `.env` file has one line. */
const readPem = (text: string) => text.replaceAll('\\n', '\n');

/** 32 bytes that are a private key of P-256. */
function isVapidKey(text: string): boolean {
  try {
    createECDH('prime256v1').setPrivateKey(text, 'base64url');
    return /^[\w-]{43}$/.test(text);
  } catch {
    return false;
  }
}

function isAppleKey(text: string): boolean {
  try {
    return createPrivateKey(readPem(text)).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false; // an Error without a class of its own: not a key
  }
}

const visible = (most: number) => (text: string) => /^[\x21-\x7e]+$/.test(text) && text.length <= most;

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hash === '' && url.username === '';
}

const words = <const T extends readonly string[]>(values: T) => ({
  schema: z.enum(values),
  expected: `one of ${values.join(', ')}`,
});
const matching = (test: (text: string) => boolean, expected: string) => ({
  schema: z.string().check(z.refine(test)),
  expected,
});

const endpointSetting = matching(isEndpoint, 'an http or https address');

/** Every variable Holdfast reads, and what would be right in it. `.env.example` lists the same names (a test compares). */
export const settings = {
  NODE_ENV: words(['production', 'development', 'test']),
  HOST: matching((text) => /^[A-Za-z0-9.:-]+$/.test(text), 'a host name or an IP address, e.g. 0.0.0.0'),
  PORT: matching((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'a port number from 0 to 65535'),
  PUBLIC_URL: matching(isOrigin, 'an http or https address without a path, e.g. https://calendar.example.org'),
  DATABASE_URL: matching(isPostgresUrl, 'postgres://user:password@host:5432/database'),
  DATA_DIR: matching((text) => text.trim() === text && !text.includes('\0'), 'a directory, e.g. data'),
  ENCRYPTION_KEYS: matching(
    areKeys,
    'name:key,... with keys of 32 random bytes in base64, e.g. made by `echo "k1:$(openssl rand -base64 32)"`',
  ),
  LOG_LEVEL: words(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  LOG_FORMAT: words(['auto', 'json', 'pretty']),
  CALDAV_ALLOW_PRIVATE: matching(
    (text) => list(text).every((entry) => hostAndPort.test(entry)),
    'a comma separated list of host:port, e.g. nas.local:5232',
  ),
  TRUST_PROXY: matching(
    (text) =>
      /^(true|false)$/.test(text) || (list(text).length > 0 && list(text).every((entry) => address.test(entry))),
    'true, false, or a comma separated list of addresses or networks, e.g. 10.0.0.0/8',
  ),
  HSTS_INCLUDE_SUBDOMAINS: words(['true', 'false']),
  METRICS_TOKEN: matching(
    (text) => /^[\w.~+/=-]{16,200}$/.test(text),
    'at least 16 letters and digits, e.g. made by `openssl rand -hex 16`',
  ),
  SMTP_URL: matching(
    isSmtpUrl,
    'smtp://user:password@host:587 or smtps://user:password@host:465, with nothing behind it but ?tls=optional',
  ),
  MAIL_FROM: matching((text) => readMailbox(text) !== null, 'Name <address@host> or address@host'),
  GOOGLE_CLIENT_ID: matching(visible(300), 'the client id that the Google Cloud console shows'),
  GOOGLE_CLIENT_SECRET: matching(visible(300), 'the client secret that the Google Cloud console shows'),
  MICROSOFT_CLIENT_ID: matching(visible(300), 'the application (client) id that the Entra admin center shows'),
  MICROSOFT_CLIENT_SECRET: matching(visible(300), 'the value (not the id) of a client secret of the application'),
  MICROSOFT_TENANT: matching(
    (text) => /^[A-Za-z0-9.-]{1,100}$/.test(text),
    'common, organizations, consumers, or the id or domain of one tenant',
  ),
  APPLE_CLIENT_ID: matching(visible(300), 'the identifier of the Services ID'),
  APPLE_TEAM_ID: matching((text) => /^[A-Z0-9]{10}$/.test(text), 'the ten letters and digits of the team'),
  APPLE_KEY_ID: matching((text) => /^[A-Z0-9]{10}$/.test(text), 'the ten letters and digits of the key'),
  APPLE_PRIVATE_KEY: matching(isAppleKey, 'the text of the .p8 file, its lines joined by \\n'),
  ZOHO_CLIENT_ID: matching(visible(300), 'the client id that the Zoho API console shows'),
  ZOHO_CLIENT_SECRET: matching(visible(300), 'the client secret that the Zoho API console shows'),
  GOOGLE_API_URL: endpointSetting,
  GOOGLE_AUTHORIZE_URL: endpointSetting,
  GOOGLE_TOKEN_URL: endpointSetting,
  GOOGLE_REVOKE_URL: endpointSetting,
  GOOGLE_JWKS_URL: endpointSetting,
  GOOGLE_ISSUER: endpointSetting,
  MICROSOFT_API_URL: endpointSetting,
  MICROSOFT_LOGIN_URL: endpointSetting,
  APPLE_URL: endpointSetting,
  ZOHO_URL: endpointSetting,
  TWILIO_API_URL: endpointSetting,
  SLACK_API_URL: endpointSetting,
  HUBSPOT_API_URL: endpointSetting,
  VAPID_PRIVATE_KEY: matching(
    isVapidKey,
    'the private key, 32 bytes as base64url, e.g. made by `npx web-push generate-vapid-keys`',
  ),
  BACKUP_DIR: matching(
    (text) => text.trim() === text && !text.includes('\0'),
    'a directory, e.g. /var/backups/holdfast',
  ),
  BACKUP_KEEP: matching((text) => /^[1-9]\d{0,3}$/.test(text), 'how many to keep, e.g. 14'),
  BACKUP_EVERY_HOURS: matching((text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 168, 'hours from 1 to 168'),
  BACKUP_BEFORE_UPGRADE: words(['true', 'false']),
  STRIPE_SECRET_KEY: matching(
    (text) => text === 'simulated' || /^[sr]k_(test|live)_\w{3,250}$/.test(text),
    'the secret key that Stripe shows, sk_live_… or sk_test_…, or a restricted one, rk_…',
  ),
  STRIPE_WEBHOOK_SECRET: matching(
    (text) => /^whsec_[\w+/=]{8,250}$/.test(text),
    'the signing secret that Stripe shows with the webhook endpoint, whsec_…',
  ),
  STRIPE_API_URL: endpointSetting,
  STRIPE_AUTOMATIC_TAX: words(['true', 'false']),
  SIMULATED_PROVIDERS: words(['true', 'false']),
  OPERATOR_NAME: matching((text) => /^[^\p{Cc}<>]{1,100}$/u.test(text), 'a name of at most 100 characters'),
  CONTACT_MAIL: matching(
    (text) => !text.includes('<') && readMailbox(text) !== null,
    'an email address alone, e.g. help@example.org',
  ),
  BLOG_URL: endpointSetting,
  ANALYTICS_SCRIPT_URL: endpointSetting,
} as const;

type SettingName = keyof typeof settings;

/**
 * The configuration of one process.
 *
 * Errors: ConfigError, one line naming the variable (or argument) and what would be right. The wrong value itself is
 * not repeated: it may be a secret in the wrong place.
 */
export function loadConfig(environment: NodeJS.ProcessEnv, args: readonly string[] = []): Config {
  const found: Partial<Record<SettingName, string>> = {};
  for (const [name, { schema, expected }] of Object.entries(settings)) {
    const text = environment[name];
    if (text === undefined || text === '') continue;
    if (!schema.safeParse(text).success) throw new ConfigError(`${name} is not usable: expected ${expected}`);
    found[name as SettingName] = text;
  }
  const port = Number(found.PORT ?? 3000);
  // the server listens beyond this machine only once its address is configured
  const host = found.HOST ?? (found.PUBLIC_URL === undefined ? 'localhost' : '0.0.0.0');
  const publicUrl = (found.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/$/, '');
  return {
    environment: (found.NODE_ENV ?? 'production') as Config['environment'],
    role: readRole(args),
    host,
    port,
    publicUrl,
    hasPublicUrl: found.PUBLIC_URL !== undefined,
    databaseUrl: found.DATABASE_URL,
    dataDir: resolve(found.DATA_DIR ?? 'data'),
    encryptionKeys: found.ENCRYPTION_KEYS,
    logLevel: (found.LOG_LEVEL ?? 'info') as Config['logLevel'],
    logFormat: (found.LOG_FORMAT ?? 'auto') as Config['logFormat'],
    caldavAllowPrivate: list(found.CALDAV_ALLOW_PRIVATE ?? ''),
    trustProxy: readTrust(found.TRUST_PROXY),
    hstsIncludesSubdomains: found.HSTS_INCLUDE_SUBDOMAINS === 'true',
    metricsToken: found.METRICS_TOKEN,
    smtpUrl: found.SMTP_URL,
    mailFrom: readMailbox(found.MAIL_FROM ?? '') ?? defaultMailbox(publicUrl),
    showsMail: found.SMTP_URL === undefined && (found.PUBLIC_URL === undefined || found.NODE_ENV === 'development'),
    canMail: found.SMTP_URL !== undefined || found.PUBLIC_URL === undefined || found.NODE_ENV === 'development',
    google: readRegistration(found, 'GOOGLE'),
    microsoft: withTenant(readRegistration(found, 'MICROSOFT'), found.MICROSOFT_TENANT ?? 'common'),
    apple: readApple(found),
    vapidKey: found.VAPID_PRIVATE_KEY,
    zoho: withUrl(readRegistration(found, 'ZOHO'), found.ZOHO_URL ?? 'https://accounts.zoho.com'),
    endpoints: {
      google: readEndpoints(found, 'GOOGLE'),
      microsoft: readEndpoints(found, 'MICROSOFT'),
      twilio: readEndpoints(found, 'TWILIO'),
      slack: readEndpoints(found, 'SLACK'),
      hubspot: readEndpoints(found, 'HUBSPOT'),
      stripe: readEndpoints(found, 'STRIPE'),
    },
    backupDir: found.BACKUP_DIR === undefined ? undefined : resolve(found.BACKUP_DIR),
    backupKeep: Number(found.BACKUP_KEEP ?? 14),
    backupEveryHours: Number(found.BACKUP_EVERY_HOURS ?? 24),
    backsUpBeforeUpgrade: found.BACKUP_BEFORE_UPGRADE !== 'false',
    stripe: readStripe(found),
    simulatedProviders: simulates(found),
    operator: {
      name: found.OPERATOR_NAME,
      contact: found.CONTACT_MAIL,
      blog: found.BLOG_URL,
      analyticsScript: found.ANALYTICS_SCRIPT_URL,
    },
  };
}

function readRegistration(
  found: Partial<Record<SettingName, string>>,
  provider: 'GOOGLE' | 'MICROSOFT' | 'ZOHO',
): Registration | undefined {
  const [idName, secretName] = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`] as const;
  const [clientId, clientSecret] = [found[idName], found[secretName]];
  if (clientId === undefined && clientSecret === undefined) return undefined;
  const absent = clientId === undefined ? idName : secretName;
  if (clientId === undefined || clientSecret === undefined) {
    throw new ConfigError(`${absent} is missing: ${idName} and ${secretName} are needed together`);
  }
  return { clientId, clientSecret };
}

/** Without being told so on a newcomer's machine, where nobody else comes. */
const simulates = (found: Partial<Record<SettingName, string>>) =>
  (found.SIMULATED_PROVIDERS ?? String(found.PUBLIC_URL === undefined)) === 'true';

function readStripe(found: Partial<Record<SettingName, string>>): StripeAccount | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = found;
  const automaticTax = found.STRIPE_AUTOMATIC_TAX === 'true';
  if (secretKey === 'simulated') {
    if (simulates(found)) return { secretKey, webhookSecret: '', automaticTax };
    throw new ConfigError('STRIPE_SECRET_KEY is not usable: simulated needs SIMULATED_PROVIDERS=true');
  }
  if (secretKey === undefined && webhookSecret === undefined) return undefined;
  if (secretKey !== undefined && webhookSecret !== undefined) return { secretKey, webhookSecret, automaticTax };
  const absent = secretKey === undefined ? 'STRIPE_SECRET_KEY' : 'STRIPE_WEBHOOK_SECRET';
  throw new ConfigError(`${absent} is missing: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are needed together`);
}

function readApple(found: Partial<Record<SettingName, string>>): AppleRegistration | undefined {
  const names = ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'] as const;
  const [clientId, teamId, keyId, privateKey] = names.map((name) => found[name]);
  if (clientId !== undefined && teamId !== undefined && keyId !== undefined && privateKey !== undefined) {
    const url = withoutSlash(found.APPLE_URL ?? 'https://appleid.apple.com');
    return { clientId, teamId, keyId, privateKey: readPem(privateKey), url };
  }
  const absent = names.find((name) => found[name] === undefined);
  if (names.every((name) => found[name] === undefined)) return undefined;
  throw new ConfigError(`${absent} is missing: ${names.join(', ')} are needed together`);
}

function readEndpoints(
  found: Partial<Record<SettingName, string>>,
  provider: 'GOOGLE' | 'MICROSOFT' | 'TWILIO' | 'SLACK' | 'HUBSPOT' | 'STRIPE',
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, url]) => {
      const setting = new RegExp(`^${provider}_((?:[A-Z]+_)?(?:URL|ISSUER))$`).exec(name)?.[1];
      if (setting === undefined) return [];
      const key = setting.toLowerCase().replace(/_u/g, 'U');
      return [[key, withoutSlash(url)]];
    }),
  );
}

const withoutSlash = (url: string) => url.replace(/\/$/, '');

const withUrl = (registration: Registration | undefined, url: string) =>
  registration && { ...registration, url: withoutSlash(url) };

const withTenant = (registration: Registration | undefined, tenant: string) =>
  registration && { ...registration, tenant };

/** Adds the lines of a `.env` file to the environment; what is set already wins. */
export function loadEnvFile(path: string): void {
  if (existsSync(path)) process.loadEnvFile(path);
}

function readTrust(text: string | undefined): Config['trustProxy'] {
  if (text === undefined || text === 'false') return false;
  return text === 'true' ? true : list(text);
}

function readRole(args: readonly string[]): Role {
  let role: Role = 'all';
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const value = arg === '--role' ? args[++at] : arg.startsWith('--role=') ? arg.slice('--role='.length) : undefined;
    if (value !== 'web' && value !== 'worker' && value !== 'all' && value !== 'migrate') {
      throw new ConfigError(
        arg.startsWith('--role')
          ? '--role is not usable: expected web, worker, all or migrate'
          : `Unknown argument ${arg}: expected --role web|worker|all|migrate`,
      );
    }
    role = value;
  }
  return role;
}
