import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { CalendarLabel } from './calendar-label.tsx';
import type { Member } from './group-draft.ts';
import styles from './member-list.module.css';
import type { NamedCalendar } from './queries.ts';

export interface MemberListProps {
  calendars: NamedCalendar[];
  members: readonly Member[];
  onChange: (member: Member) => void;
}

/** Which calendars are read and which are written to. */
export function MemberList({ calendars, members, onChange }: MemberListProps) {
  const { t } = useTranslation();
  return (
    <ul>
      {calendars.map((calendar) => {
        const { calendarId, name } = calendar;
        const member = members.find((one) => one.calendarId === calendarId) ?? {
          calendarId,
          isSource: false,
          isTarget: false,
        };
        return (
          <li key={calendarId} className={styles.row}>
            <span className={styles.label}>
              <CalendarLabel calendar={calendar} />
              {calendar.writable ? null : <Tag>{t('sync.members.readOnly')}</Tag>}
              {calendar.removed ? <Tag>{t('sync.members.removed')}</Tag> : null}
            </span>
            <Checkbox
              label={
                <>
                  {t('sync.members.source')}
                  <span className="hf-sr-only">: {name}</span>
                </>
              }
              checked={member.isSource}
              disabled={calendar.removed && !member.isSource}
              onChange={(event) => onChange({ ...member, isSource: event.currentTarget.checked })}
            />
            <Checkbox
              label={
                <>
                  {t('sync.members.target')}
                  <span className="hf-sr-only">: {name}</span>
                </>
              }
              checked={member.isTarget}
              disabled={(calendar.removed || !calendar.writable) && !member.isTarget}
              onChange={(event) => onChange({ ...member, isTarget: event.currentTarget.checked })}
            />
          </li>
        );
      })}
    </ul>
  );
}
