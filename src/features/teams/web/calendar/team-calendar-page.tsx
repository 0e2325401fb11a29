import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { normalizeSpans } from '#kernel/time/intervals.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { useNowMs } from '#ui/clock.ts';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { formatDay } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type BusyMember, type Team, useChangeSharing, useTeamBusy } from '../queries.ts';
import { TeamFrame } from '../team-frame.tsx';
import styles from '../teams.module.css';
import { BusyDay } from './busy-day.tsx';
import { daysOfWeek, shownHours } from './team-week.ts';

/** When the members of a team are busy or away. */
export function TeamCalendarPage() {
  return (
    <TeamFrame>
      {({ team }) => (
        <>
          <TeamWeek team={team} />
          <SharingPanel team={team} />
        </>
      )}
    </TeamFrame>
  );
}

function TeamWeek({ team }: { team: Team }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const [weeks, setWeeks] = useState(0);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const days = daysOfWeek(nowMs, preferences, weeks);
  const [first, last] = [days[0]?.startMs ?? 0, days.at(-1)?.endMs ?? 0];
  const found = useTeamBusy(team.id, { from: isoOf(first), to: isoOf(last) });
  const members = found.data?.members;
  const shown = members?.filter(({ user_id }) => !hidden.has(user_id)) ?? [];
  const all = normalizeSpans(
    shown.flatMap(({ away, busy }) => [...away, ...busy].map(({ start, end }) => ({ startMs: start, endMs: end }))),
  );
  const hours = shownHours(
    days,
    shown.flatMap(({ busy }) => busy.map(({ start, end }) => ({ startMs: start, endMs: end }))),
  );
  const toggle = ({ user_id: id }: BusyMember) =>
    setHidden((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  return (
    <Panel
      title={t('teams.calendar.week', {
        first: formatDay(first, preferences, nowMs),
        last: formatDay(last - 1, preferences, nowMs),
      })}
      text={t('teams.calendar.text', { zone: preferences.zone })}
      actions={
        <>
          <Button variant="default" size="xs" aria-current={weeks === 0} onClick={() => setWeeks(0)}>
            {t('teams.calendar.today')}
          </Button>
          <IconButton label={t('teams.calendar.previous')} onClick={() => setWeeks(weeks - 1)}>
            <IconChevronLeft size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('teams.calendar.next')} onClick={() => setWeeks(weeks + 1)}>
            <IconChevronRight size={18} aria-hidden />
          </IconButton>
        </>
      }
    >
      {members === undefined ? (
        found.error ? (
          <ErrorState title={t('teams.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <SkeletonRows rows={6} label={t('shell.loading')} />
        )
      ) : (
        <>
          <fieldset className={styles.layers}>
            <legend className="hf-sr-only">{t('teams.calendar.layers')}</legend>
            {members.map((member) => (
              <Checkbox
                key={member.user_id}
                label={member.name}
                checked={!hidden.has(member.user_id)}
                onChange={() => toggle(member)}
              />
            ))}
          </fieldset>
          <div className={styles.days} aria-busy={found.isPlaceholderData}>
            {days.map((day) => (
              <BusyDay key={day.date} day={day} hours={hours} members={shown} all={all} />
            ))}
          </div>
        </>
      )}
    </Panel>
  );
}

const isoOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();

/** Each says for themselves what the others see. */
function SharingPanel({ team }: { team: Team }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeSharing(team.id);
  const labelId = useId();
  return (
    <Panel>
      <div className={styles.line}>
        <div className={styles.lineWords}>
          <h3 id={labelId}>{t('teams.sharing.title')}</h3>
          <p>{t('teams.sharing.text')}</p>
        </div>
        <Segmented
          aria-labelledby={labelId}
          value={change.isPending ? change.variables : team.shares}
          data={(['busy', 'details'] as const).map((one) => ({ value: one, label: t(`teams.shares.${one}`) }))}
          onChange={(shares) =>
            change.mutate(shares as Team['shares'], {
              onSuccess: () => showToast({ subject: 'sharing', state: 'ok', message: t('teams.sharing.saved') }),
              onError: (error) => showToast({ subject: 'sharing', state: 'bad', message: errorText(error) }),
            })
          }
        />
      </div>
    </Panel>
  );
}
