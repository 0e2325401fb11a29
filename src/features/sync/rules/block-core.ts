import type { Core } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import type { MirrorRule } from './mirror-rule.ts';

export interface OriginLabels {
  calendarName: string;
  accountLabel: string;
}

/**
 * The content of a block. Fields that the rule's privacy does not allow are left out here, so that no later step can
 * leak them. Blocks never carry attendees, links or reminders. A private origin shows as busy whatever the rule. Texts
 * are trimmed, because some providers do not keep surrounding white space.
 */
export function blockCore(origin: Core, rule: MirrorRule, labels: OriginLabels): Core {
  const privacy = origin.private ? 'busy' : rule.privacy;
  const core: Core = {
    busy: rule.kind === 'out-of-office' ? 'oof' : 'busy',
    private: true,
    self: 'none',
    kind: rule.kind === 'out-of-office' ? 'out-of-office' : 'default',
    title: blockTitle(origin, rule, labels, privacy),
  };
  if (rule.color !== null) core.color = rule.color;
  if (privacy === 'details') {
    const location = origin.location?.trim();
    const notes = origin.notes?.trim();
    if (location !== undefined && location !== '') core.location = location;
    if (notes !== undefined && notes !== '') core.notes = notes;
  }
  return core;
}

function blockTitle(origin: Core, rule: MirrorRule, labels: OriginLabels, privacy: MirrorRule['privacy']): string {
  const template = rule.titleTemplate.trim() === '' ? 'Busy' : rule.titleTemplate;
  const title = privacy === 'busy' ? 'Busy' : (origin.title ?? 'Busy');
  const values: Record<string, string> = {
    '{title}': title,
    '{calendar}': labels.calendarName,
    '{account}': labels.accountLabel,
  };
  return template
    .replace(/\{title\}|\{calendar\}|\{account\}/g, (name) => values[name] ?? name)
    .slice(0, eventLimits.titleChars)
    .trim();
}
