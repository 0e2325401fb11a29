/** The address of the dashboard. Part of the first visit: this file imports nothing. */
export const periods = ['7d', '30d', '90d', '365d'] as const;
type Period = (typeof periods)[number];
export const usualPeriod: Period = '30d';

const sources = ['direct', 'google', 'outlook', 'icloud', 'exchange', 'other'] as const;

export interface DashboardSearch {
  period?: Period;
  /** An event type. */
  type?: string;
  team?: string;
  /** With a team. */
  member?: string;
  source?: (typeof sources)[number];
  calendar?: string;
  perspective?: 'invitee';
  /** Zone of the popular hours, where it is not the person's own. */
  timezone?: string;
  /** The panel whose rows are open, a part of it, and whether it is this month's. */
  rows?: string;
  part?: string;
  month?: '1';
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the address; what does not fit is dropped, so that an old link still opens the dashboard. */
export function readDashboardSearch(raw: Record<string, unknown>): DashboardSearch & Record<string, unknown> {
  const oneOf = <Value extends string>(values: readonly Value[], given: unknown) => values.find((one) => one === given);
  const text = (given: unknown, most: number) =>
    typeof given === 'string' || typeof given === 'number' ? String(given).slice(0, most) : '';
  const ids = (['type', 'team', 'member', 'calendar'] as const).flatMap((name) =>
    uuid.test(text(raw[name], 36)) && (name !== 'member' || uuid.test(text(raw.team, 36)))
      ? [[name, text(raw[name], 36)]]
      : [],
  );
  const period = oneOf(periods, raw.period);
  const source = oneOf(sources, raw.source);
  const [timezone, rows, part] = [text(raw.timezone, 64), text(raw.rows, 40), text(raw.part, 200)];
  return {
    ...(Object.fromEntries(ids) as Pick<DashboardSearch, 'type' | 'team' | 'member' | 'calendar'>),
    ...(period === undefined || period === usualPeriod ? {} : { period }),
    ...(source ? { source } : {}),
    ...(raw.perspective === 'invitee' ? { perspective: 'invitee' } : {}),
    ...(timezone ? { timezone } : {}),
    ...(rows ? { rows } : {}),
    ...(rows && part ? { part } : {}),
    ...(rows && (raw.month === '1' || raw.month === 1) ? { month: '1' } : {}),
  };
}

export function isFiltered({ type, member, source, calendar }: DashboardSearch): boolean {
  return [type, member, source, calendar].some((one) => one !== undefined);
}
