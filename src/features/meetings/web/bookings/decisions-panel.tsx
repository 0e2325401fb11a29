import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { useRequests } from './booking-queries.ts';
import styles from './decisions-panel.module.css';
import { EndDialog } from './end-dialog.tsx';
import { QuestionRow, useQuestions } from './question-row.tsx';
import { type Asked, RequestRow } from './request-row.tsx';
import { useBookingActs } from './use-booking-acts.ts';

const rowsShown = 3;
/** On this device: whether it is folded, and its height at the last visit. */
const foldedKey = 'holdfast-decisions-folded';
const heightKey = 'holdfast-decisions-height';

/** Everything that a host has to decide about bookings, one row per booking or series. */
export function DecisionsPanel() {
  const { t } = useTranslation();
  const requests = useRequests();
  const questions = useQuestions();
  const acts = useBookingActs();
  const frame = useRef<HTMLElement>(null);
  const [declining, setDeclining] = useState<Asked | null>(null);
  const [isFolded, setFolded] = useState(() => localStorage.getItem(foldedKey) === '1');
  const [showsAll, setShowsAll] = useState(false);
  const asked = [...Map.groupBy(requests.data ?? [], (one) => one.series_id ?? one.booking_id).values()] as Asked[];
  const all = [
    ...asked.map((one) => ({
      key: one[0].booking_id,
      row: <RequestRow asked={one} acts={acts} onDecline={() => setDeclining(one)} />,
    })),
    ...questions.groups.map((group) => ({
      key: group[0].question_id,
      row: <QuestionRow group={group} pending={questions.isPending} onAnswer={(one) => questions.answer(group, one)} />,
    })),
  ];
  const isKnown = !(requests.isPending || questions.isAwaited);
  useEffect(() => {
    if (isKnown && !showsAll) localStorage.setItem(heightKey, String(frame.current?.offsetHeight ?? 0));
  });
  if (!isKnown) return <DecisionsGhost />;
  if (all.length === 0) return null;
  return (
    <section ref={frame} className={styles.panel} aria-labelledby="decisions">
      <h2 id="decisions" className={styles.heading}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={!isFolded}
          onClick={() => {
            localStorage.setItem(foldedKey, isFolded ? '0' : '1');
            setFolded(!isFolded);
          }}
        >
          <IconAlertTriangle size={18} aria-hidden />
          <span>{t('meetings.decisions.title', { count: all.length })}</span>
          <IconChevronDown size={18} aria-hidden />
        </button>
        <span className={styles.text}>{t('meetings.decisions.text')}</span>
      </h2>
      {isFolded ? null : (
        <>
          <ul className={styles.list}>
            {(showsAll ? all : all.slice(0, rowsShown)).map(({ key, row }) => (
              <li key={key} className={styles.row}>
                {row}
              </li>
            ))}
          </ul>
          {all.length > rowsShown ? (
            <p className={styles.more}>
              <Button variant="subtle" size="xs" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
                {showsAll ? t('meetings.decisions.fewer') : t('meetings.decisions.all', { count: all.length })}
              </Button>
            </p>
          ) : null}
        </>
      )}
      {declining ? (
        <EndDialog
          kind="decline"
          booking={declining[0]}
          times={declining.length}
          acts={acts}
          onClose={() => setDeclining(null)}
        />
      ) : null}
    </section>
  );
}

function DecisionsGhost() {
  const height = Number(localStorage.getItem(heightKey));
  return height > 0 ? <div style={{ minHeight: height }} /> : null;
}
