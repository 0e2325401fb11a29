import type { TFunction } from 'i18next';
import type { Words } from '#ui/words.tsx';

/** The design system's own words in the current language. */
export function wordsOf(t: TFunction): Words {
  return {
    close: t('ui.close'),
    retry: t('ui.retry'),
    copy: t('ui.copy'),
    copied: t('ui.copied'),
    copyRefused: t('ui.copyRefused'),
    requestId: t('ui.requestId'),
    plans: t('ui.plans'),
    unexpected: t('ui.unexpected'),
    unreachable: t('ui.unreachable'),
    failed: t('ui.failed'),
    cancel: t('ui.cancel'),
    notifications: t('ui.notifications'),
    loading: t('ui.loading'),
    justNow: t('ui.justNow'),
    minutesAgo: (minutes) => t('ui.minutesAgo', { minutes }),
    hoursAgo: (hours) => t('ui.hoursAgo', { hours }),
    daysAgo: (days) => t('ui.daysAgo', { days }),
    earlierMonth: t('ui.earlierMonth'),
    laterMonth: t('ui.laterMonth'),
    openPicker: t('ui.openPicker'),
    unreadable: (example) => t('ui.unreadable', { example }),
    earliest: (when) => t('ui.earliest', { when }),
    latest: (when) => t('ui.latest', { when }),
  };
}
