import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { MirrorReason } from '../explain/explain-queries.ts';

/** A reason in words, and the way to what causes it. */
export function MirrorReasonLine({ reason, onLeave }: { reason: MirrorReason; onLeave: () => void }) {
  const text = useReasonText();
  return (
    <li>
      <span>{text(reason)}</span> <SettingLink setting={reason.setting} onLeave={onLeave} />
    </li>
  );
}

function useReasonText(): (reason: MirrorReason) => string {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  const moment = (at: string | undefined) => {
    if (at === undefined || at === '') return '';
    const ms = msOfInstant(at);
    return `${formatDay(ms, preferences, currentMs)}, ${formatTime(ms, preferences)}`;
  };
  return ({ code, facts }) => {
    switch (code) {
      case 'not-busy':
        return t(`explain.notBusy.${facts.why ?? 'shown-free'}`);
      case 'keyword':
        return t(`explain.keyword.${facts.kind ?? 'not-included'}`, { word: facts.word });
      case 'out-of-window':
        return t(`explain.window.${facts.side ?? 'future'}`, { count: Number(facts.days ?? 0) });
      case 'stands':
        return t('explain.reason.stands', { title: facts.title, at: moment(facts.at) });
      case 'retrying':
        return t('explain.reason.retrying', { error: facts.error, at: moment(facts.at) });
      default:
        return t(`explain.reason.${code}`, facts);
    }
  };
}

function SettingLink({ setting, onLeave }: { setting: MirrorReason['setting']; onLeave: () => void }) {
  const { t } = useTranslation();
  switch (setting?.kind) {
    case 'group':
      return (
        <Link to="/integrations/mirrors" hash={setting.id === null ? '' : `group-${setting.id}`} onClick={onLeave}>
          {setting.id === null ? t('explain.link.groups') : t('explain.link.group')}
        </Link>
      );
    case 'connection':
      return (
        <Link to="/integrations" onClick={onLeave}>
          {t('explain.link.connection')}
        </Link>
      );
    case 'event':
      return (
        <Link to="/calendar" search={{ event: setting.id ?? '' }} onClick={onLeave}>
          {t('explain.link.event')}
        </Link>
      );
    case 'mirrors':
      return (
        <Link to="/meetings" search={{ tab: 'mirrors', status: 'failed' }} onClick={onLeave}>
          {t('explain.link.mirrors')}
        </Link>
      );
    case undefined:
      return null;
  }
}
