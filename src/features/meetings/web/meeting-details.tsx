import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TwoLines } from '#ui/data-table.tsx';
import { DetailsSheet } from './details/details-sheet.tsx';
import { Fact } from './fact.tsx';
import { Join } from './join.tsx';
import { MeetingWhen } from './meeting-when.tsx';
import { AuditOf } from './mirrors/audit-dialog.tsx';
import styles from './mirrors/mirror-details.module.css';
import { MirrorPlace } from './mirrors/mirror-place.tsx';
import { MirrorHealth, MirrorTools } from './mirrors/mirror-tools.tsx';
import type { Repairs } from './mirrors/use-repairs.ts';
import { openLink } from './open-link.ts';
import type { MeetingRow } from './queries.ts';

export interface MeetingDetailsProps {
  row: MeetingRow;
  repairs: Repairs;
  onAudit: () => void;
  onClose: () => void;
}

export function MeetingDetails({ row, repairs, onAudit, onClose }: MeetingDetailsProps) {
  const { t } = useTranslation();
  const link = openLink(row.meetingLink);
  return (
    <DetailsSheet
      onClose={onClose}
      title={t('meetings.details.meeting')}
      actions={<MirrorTools row={row} repairs={repairs} onAudit={onAudit} />}
    >
      <p className={styles.title}>
        {row.invitee === ''
          ? row.eventType
          : t('meetings.details.with', { title: row.eventType, invitee: row.invitee })}
      </p>
      <Join href={link?.href} />
      <dl className={styles.facts}>
        <Fact name={t('meetings.column.when')}>
          <MeetingWhen row={row} />
        </Fact>
        <Fact name={t('meetings.column.invitee')}>
          <ul className={styles.invitees}>
            {row.invitees.slice(0, 5).map((one) => (
              <li key={one.email}>
                <TwoLines first={one.name ?? one.email} second={one.name === null ? null : one.email} />
                {one.response === null ? null : (
                  <span className={styles.response}>{t(`meetings.response.${one.response}`)}</span>
                )}
              </li>
            ))}
          </ul>
          {row.invitees.length > 5 ? t('meetings.moreInvitees', { count: row.invitees.length - 5 }) : null}
        </Fact>
        <Fact name={t('meetings.column.type')}>
          <TwoLines first={row.eventType} second={t(`meetings.meetingStatus.${row.status}`)} />
        </Fact>
        <Fact name={t('meetings.details.origin')}>
          <MirrorPlace place={row.origin} />
        </Fact>
        {link === null ? null : <Fact name={t('meetings.details.link')}>{link.href}</Fact>}
        <MirrorHealth row={row} />
        {row.email === '' ? null : (
          <Fact name={t('meetings.details.history')}>
            <Link to="/meetings" search={{ tab: 'past', attendee: row.email }} onClick={onClose}>
              {t('meetings.details.past')}
            </Link>
            {' · '}
            <Link to="/meetings" search={{ tab: 'upcoming', attendee: row.email }} onClick={onClose}>
              {t('meetings.details.ahead')}
            </Link>
          </Fact>
        )}
      </dl>
      <div className={styles.section}>
        <h3>{t('meetings.details.activity')}</h3>
        <Link to="/calendar" search={{ day: row.date, event: row.event_id }}>
          {t('meetings.details.inCalendar')}
        </Link>
      </div>
      <AuditOf id={row.event_id} full={false} />
    </DetailsSheet>
  );
}
