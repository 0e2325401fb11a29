import * as z from 'zod/mini';
import { instantMs, uuid, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

export const timeFormats = ['12h', '24h'] as const;
export const dateFormats = ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD.MM.YYYY'] as const;
export const themes = ['system', 'light', 'dark'] as const;
export const densities = ['comfortable', 'compact'] as const;
export const roles = ['user', 'admin'] as const;

const notificationsShape = z.strictObject({
  bookingReminders: z.boolean(),
  syncErrors: z.boolean(),
  productUpdates: z.boolean(),
});

const locale = z.string().check(z.maxLength(35), z.refine(isLocale, { error: 'Expected a language such as en-US' }));

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false; // RangeError is how Intl says "not a language tag"
  }
}

export const accountProfileShape = z.object({
  user_id: uuid,
  email: z.string(),
  name: z.string(),
  company: z.nullable(z.string()),
  role: z.enum(roles),
  mfaEnabled: z.boolean(),
  /** `mfa-needed`: an administrator, but not in this session, which lacks the second factor that is demanded. */
  adminAccess: z.enum(['none', 'mfa-needed', 'granted']),
  /** When this session ends in which an administrator looks at it in the person's place; null for the person. */
  impersonatedUntil: z.nullable(instantMs),
  phone: z.nullable(z.string()),
  avatarUrl: z.nullable(z.string()),
  timezone: z.string(),
  locale: z.string(),
  timeFormat: z.enum(timeFormats),
  dateFormat: z.enum(dateFormats),
  /** ISO weekday, 7 = Sunday. */
  weekStart: z.int(),
  /** Whether the calendar shows Saturday and Sunday. */
  weekends: z.boolean(),
  weekNumbers: z.boolean(),
  /** Zones whose hours stand beside those of the person's own. */
  moreZones: z.array(z.string()),
  theme: z.enum(themes),
  density: z.enum(densities),
  /** Whether guests do not learn the email address; they write by the message form of their booking then. */
  hideEmail: z.boolean(),
  notifications: notificationsShape,
});

/** Calls of every screen. They are apart from the others so that a first visit downloads no more. */
export const sessionEndpoints = {
  logout: endpoint({
    method: 'POST',
    path: '/auth/logout',
    auth: 'public',
    summary: 'End the session on this device. Does nothing without a session',
    output: z.object({ message: z.string() }),
  }),
  readSession: endpoint({
    method: 'GET',
    path: '/api/session',
    auth: 'public',
    summary: 'The signed-in user with profile and preferences. Null if signed out',
    output: z.object({ user: z.nullable(accountProfileShape) }),
  }),
  readAccountProfile: endpoint({
    method: 'GET',
    path: '/api/account/profile',
    auth: 'user',
    summary: 'Profile and preferences',
    output: accountProfileShape,
  }),
  changePreferences: endpoint({
    method: 'PATCH',
    path: '/api/account/preferences',
    auth: 'user',
    summary: 'Change display and notification preferences',
    body: z.strictObject({
      timezone: z.optional(zone),
      locale: z.optional(locale),
      timeFormat: z.optional(z.enum(timeFormats)),
      dateFormat: z.optional(z.enum(dateFormats)),
      weekStart: z.optional(z.int().check(z.gte(1), z.lte(7))),
      weekends: z.optional(z.boolean()),
      weekNumbers: z.optional(z.boolean()),
      moreZones: z.optional(z.array(zone).check(z.maxLength(2))),
      theme: z.optional(z.enum(themes)),
      density: z.optional(z.enum(densities)),
      hideEmail: z.optional(z.boolean()),
      notifications: z.optional(z.partial(notificationsShape)),
    }),
    output: accountProfileShape,
  }),
};
