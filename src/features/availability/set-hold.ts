import { randomUUIDv7 } from 'node:crypto';
import { listCalendars } from '#features/connections/public.ts';
import { AppError, part } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { availabilityTopic, holdRulesChanged } from './events.ts';
import type { HoldRule } from './rules/hold-rules.ts';
import { tooMany } from './rules/policy-errors.ts';
import { countRows } from './store/absences.ts';
import { upsertHoldRule } from './store/hold-rules.ts';

const mostRules = 50;

/** Makes events holds, or gives a rule another rank. *Errors*: invalid BAD_VALUE; conflict TOO_MANY. */
export async function setHold(
  app: Pick<App, 'db' | 'news' | 'feed'>,
  { userId }: Actor,
  rule: HoldRule,
): Promise<void> {
  const calendars = rule.kind === 'calendar' ? await listCalendars(app.db, userId) : [];
  const value = readValue(rule, new Set(calendars.map(({ id }) => id)));
  await inTransaction(app.db, async (tx) => {
    if ((await countRows(tx, 'hold_rules', userId)) >= mostRules) throw tooMany(part('rules'), mostRules);
    await upsertHoldRule(tx, userId, { ...rule, value, id: randomUUIDv7() });
    await app.news.announce(tx, holdRulesChanged, { userId });
    await app.feed.publish(tx, userId, availabilityTopic);
  });
}

function readValue({ kind, value }: HoldRule, calendars: ReadonlySet<string>): string {
  switch (kind) {
    case 'tentative':
    case 'focus':
      return '';
    case 'calendar':
      if (calendars.has(value)) return value;
      throw badValue('There is no such calendar of yours.');
    case 'color':
      if (/^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase();
      throw badValue('A colour looks like #5e53dd.');
    case 'title-prefix':
    case 'category':
      if (value !== '') return value;
      throw badValue('Say which.');
  }
}

const badValue = (message: string) => new AppError('invalid', 'BAD_VALUE', message, { fields: { value: message } });
