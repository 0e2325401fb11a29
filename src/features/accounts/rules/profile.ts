import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { accountsContract, dateFormats } from '../contract.ts';

/** A person's name. Without one: the part of the e-mail address before @. */
export function nameOf(user: { name: string | null; email: string }): string {
  return user.name ?? user.email.split('@', 1)[0] ?? user.email;
}

/** A person's data for sign-in. */
export interface KnownUser {
  id: UserId;
  email: string;
  name: string | null;
  company: string | null;
  role: 'user' | 'admin';
  mfa_enabled_at: Temporal.Instant | null;
}

interface StoredUser extends KnownUser {
  phone: string | null;
  avatar_file: string | null;
  zone: string;
  locale: string;
  time_format: '12h' | '24h';
  date_format: string;
  week_start: number;
  weekends: boolean;
  week_numbers: boolean;
  more_zones: string[];
  theme: AccountProfile['theme'];
  density: AccountProfile['density'];
  hide_email: boolean;
  notifications: unknown;
}

type AccountProfile = Output<typeof accountsContract.readAccountProfile>;

export function toProfile(user: KnownUser): Output<typeof accountsContract.readProfile> {
  return {
    user_id: user.id,
    email: user.email,
    name: nameOf(user),
    company: user.company,
    role: user.role,
    mfaEnabled: user.mfa_enabled_at !== null,
  };
}

export function toAccountProfile(
  user: StoredUser,
  {
    adminAccess,
    impersonation,
  }: { adminAccess: AccountProfile['adminAccess']; impersonation: { endsMs: number } | null },
): AccountProfile {
  return {
    ...toProfile(user),
    adminAccess,
    impersonatedUntil: impersonation?.endsMs ?? null,
    phone: user.phone,
    avatarUrl: user.avatar_file === null ? null : `/avatars/${user.avatar_file}`,
    timezone: user.zone,
    locale: user.locale,
    timeFormat: user.time_format,
    dateFormat: user.date_format as (typeof dateFormats)[number],
    weekStart: user.week_start,
    weekends: user.weekends,
    weekNumbers: user.week_numbers,
    moreZones: user.more_zones,
    theme: user.theme,
    density: user.density,
    hideEmail: user.hide_email,
    notifications: user.notifications as AccountProfile['notifications'],
  };
}
