import type { TFunction } from 'i18next';
import { isTimed, type Offset, type Trigger } from '#features/workflows/rules/definition.ts';
import type { Definition } from './queries.ts';

/** `24 hours before`, `Immediately`, `15 minutes after`. */
export function timingText({ amount, unit }: Offset, trigger: Trigger, t: TFunction): string {
  if (amount === 0)
    return isTimed(trigger)
      ? t(`workflows.timing.${trigger === 'before-event' ? 'atStart' : 'atEnd'}`)
      : t('workflows.timing.immediately');
  const length = t(`workflows.length.${unit}`, { count: amount });
  return trigger === 'before-event'
    ? t('workflows.timing.before', { length })
    : t('workflows.timing.after', { length });
}

/** The kinds of a workflow's steps, each once, as text. */
export function actionsText({ steps }: Pick<Definition, 'steps'>, t: TFunction): string {
  return [...new Set(steps.map(({ action }) => t(`workflows.action.${keyOf(action.kind)}`)))].join(', ');
}

const keys = {
  'send-email': 'sendEmail',
  'send-sms': 'sendSms',
  'notify-slack': 'notifySlack',
  'push-to-crm': 'pushToCrm',
} as const;
/** A kind as the catalog spells it. */
export const keyOf = (kind: string) => keys[kind as keyof typeof keys];

/** `booking-created` as the catalog spells it. */
export const camel = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
