import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonAnchor } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import styles from './help-page.module.css';
import { useChangeFirstSteps, useFirstSteps, useHandle } from './queries.ts';

const LinkButton = createLink(ButtonAnchor);

/** The first steps of a new user. A step is done as soon as its result exists, wherever it was made. */
export function FirstSteps() {
  const { t } = useTranslation();
  const found = useFirstSteps();
  const change = useChangeFirstSteps();
  const handle = useHandle();
  if (found.data === undefined) {
    return found.error ? (
      <ErrorState title={t('help.steps.failed')} error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <SkeletonRows rows={5} label={t('help.loading')} />
    );
  }
  const steps = found.data;
  const go = (
    to: '/integrations' | '/integrations/mirrors' | '/availability' | '/booking-links',
    label: string,
    hash?: string,
  ) => (
    <LinkButton to={to} hash={hash} variant="default" size="xs">
      {label}
    </LinkButton>
  );
  const rows: { key: 'connected' | 'mirrored' | 'hours' | 'link' | 'copied'; action: ReactNode }[] = [
    { key: 'connected', action: go('/integrations', t('help.steps.connect')) },
    { key: 'mirrored', action: go('/integrations/mirrors', t('help.steps.mirror'), 'new') },
    { key: 'hours', action: go('/availability', t('help.steps.set')) },
    { key: 'link', action: go('/booking-links', t('help.steps.make')) },
    {
      key: 'copied',
      action:
        !steps.link || handle.data === undefined ? null : handle.data.url === null ? (
          go('/booking-links', t('help.steps.choose'))
        ) : (
          <CopyButton text={handle.data.url} size="xs" onCopied={() => change.mutate({ copied: true })}>
            {t('help.steps.copy')}
          </CopyButton>
        ),
    },
  ];
  return (
    <ol className={styles.steps}>
      {rows.map(({ key, action }) => (
        <li key={key} className={styles.step} data-done={steps[key] || undefined}>
          {steps[key] ? <IconCircleCheck size={22} aria-hidden /> : <IconCircle size={22} stroke={1.5} aria-hidden />}
          <div>
            {t(`help.steps.${key}`)}
            <span className={styles.quiet}>{steps[key] ? t('help.steps.done') : t(`help.steps.${key}Text`)}</span>
          </div>
          {steps[key] && key !== 'copied' ? null : action}
        </li>
      ))}
    </ol>
  );
}
