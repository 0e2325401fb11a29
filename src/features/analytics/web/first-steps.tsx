import {
  IconArrowsExchange,
  IconCalendarPlus,
  IconCircleCheck,
  IconClock,
  IconLink,
  IconSend,
} from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { CreateType } from './create-type.tsx';
import styles from './first-steps.module.css';
import { LinkButton } from './link-button.ts';
import { useFirstSteps } from './use-first-steps.ts';

// the contract of what is booked weighs more than a first visit has room for
const CopyLink = lazy(async () => ({ default: (await import('./copy-link.tsx')).CopyLink }));

export interface FirstStepsProps {
  isConnected: boolean;
  hasTypes: boolean;
  /** Then somebody has the link already, however they came by it. */
  hasBookings: boolean;
}

/** The next of a new person's first steps in one line, until all are done; the whole list on demand. */
export function FirstSteps({ isConnected, hasTypes, hasBookings }: FirstStepsProps) {
  const { t } = useTranslation();
  const { noted, isAwaited, change } = useFirstSteps();
  const [isOpen, setOpen] = useState(false);
  const isCopied = hasBookings || noted?.copied === true;
  // not before it is known, so that nothing comes and goes
  if (isAwaited || noted?.skipped === true || (isConnected && hasTypes && isCopied)) return null;
  const steps: {
    key: 'connect' | 'mirror' | 'hours' | 'type' | 'copy';
    Icon: typeof IconLink;
    isDone: boolean;
    action: ReactNode;
  }[] = [
    {
      key: 'connect',
      Icon: IconCalendarPlus,
      isDone: isConnected,
      action: (
        <LinkButton to="/integrations" hash="connect" size="xs">
          {t('analytics.health.connect')}
        </LinkButton>
      ),
    },
    {
      key: 'mirror',
      Icon: IconArrowsExchange,
      isDone: noted?.mirrored === true,
      action: (
        <LinkButton to="/integrations/mirrors" hash="review" variant="default" size="xs">
          {t('analytics.steps.mirrorAction')}
        </LinkButton>
      ),
    },
    {
      key: 'hours',
      Icon: IconClock,
      isDone: noted?.hours === true,
      action: (
        <LinkButton to="/availability" variant="default" size="xs">
          {t('analytics.setAvailability')}
        </LinkButton>
      ),
    },
    {
      key: 'type',
      Icon: IconLink,
      isDone: hasTypes,
      action: <CreateType variant={isConnected ? 'filled' : 'default'} />,
    },
    {
      key: 'copy',
      Icon: IconSend,
      isDone: isCopied,
      action: hasTypes ? (
        <Suspense>
          <CopyLink onCopied={() => change({ copied: true })} />
        </Suspense>
      ) : null,
    },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section className={styles.card} aria-labelledby="first-steps">
      <div className={styles.line}>
        <h2 id="first-steps">{t('analytics.steps.title')}</h2>
        <span className={styles.progress}>
          <span className="hf-num">{t('analytics.steps.count', { done, all: steps.length })}</span>
          <ProgressBar label={t('analytics.steps.title')} value={done} max={steps.length} />
        </span>
        {isOpen || next === undefined ? null : (
          <>
            <span className={styles.next}>{t(`analytics.steps.${next.key}`)}</span>
            {next.action}
          </>
        )}
        <span className={styles.ways}>
          <Button variant="subtle" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('analytics.steps.fewer') : t('analytics.steps.all')}
          </Button>
          <Button variant="subtle" color="gray" size="xs" onClick={() => change({ skipped: true })}>
            {t('analytics.steps.skip')}
          </Button>
        </span>
      </div>
      {isOpen ? (
        <ol className={styles.steps}>
          {steps.map(({ key, Icon, isDone, action }) => (
            <li key={key} className={styles.step} data-done={isDone || undefined}>
              {isDone ? <IconCircleCheck size={20} aria-hidden /> : <Icon size={20} stroke={1.5} aria-hidden />}
              <div className={styles.texts}>
                <h3>{t(`analytics.steps.${key}`)}</h3>
                <p>{isDone ? t('analytics.steps.done') : t(`analytics.steps.${key}Text`)}</p>
              </div>
              {isDone ? null : action}
            </li>
          ))}
        </ol>
      ) : null}
    </section>
  );
}
