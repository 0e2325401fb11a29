import { useTranslation } from 'react-i18next';
import { Avatar, initialsOf } from '#ui/avatar.tsx';
import { TwoLines } from '#ui/data-table.tsx';
import styles from './invitee.module.css';
import oneLine from './one-line.module.css';
import type { MeetingRow } from './queries.ts';

/** One attendee, and the number of further ones. */
export function Invitee({ row }: { row: MeetingRow }) {
  const others = useOthers(row);
  const isNamed = row.invitee !== row.email;
  return (
    <span className={styles.invitee}>
      <span className={styles.picture} data-hue={hueOf(row.email)}>
        <Avatar initials={initialsOf(isNamed ? row.invitee : null, row.email)} />
      </span>
      <span className={oneLine.names} title={namesOf(row)}>
        <TwoLines first={row.invitee} second={[isNamed ? row.email : '', others].filter(Boolean).join(' · ') || null} />
      </span>
    </span>
  );
}

/** The same within another line. */
export function InviteeName({ row }: { row: MeetingRow }) {
  const others = useOthers(row);
  return <span title={namesOf(row)}>{[row.invitee, others].filter(Boolean).join(' · ')}</span>;
}

function useOthers({ invitees }: MeetingRow): string {
  const { t } = useTranslation();
  const more = invitees.length - 1;
  return more > 0 ? t('meetings.moreInvitees', { count: more }) : '';
}

const namesOf = ({ invitees }: MeetingRow) => invitees.map((one) => one.name ?? one.email).join('\n');

/** The same person has the same colour everywhere. */
function hueOf(email: string): number {
  let sum = 0;
  for (const letter of email) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return sum % 6;
}
