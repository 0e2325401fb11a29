import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { handlePattern, longestHandle, shortestHandle } from '#features/booking/rules/handle.ts';
import { AddressField } from '#ui/address-field.tsx';
import { ActionButton, Button, ButtonAnchor } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useRested } from '#ui/use-rested.ts';
import styles from './handle-panel.module.css';
import { checkHandle, type Handle, useChangeHandle } from './queries.ts';

/** The first part of every public address: chosen once, and changed with care. */
export function HandlePanel({ handle }: { handle: Handle }) {
  const { t } = useTranslation();
  const [changing, setChanging] = useState(false);
  const plain = handle.base.replace(/^https?:\/\//, '');
  if (handle.handle !== null && handle.url !== null && !changing) {
    return (
      <Panel>
        <div className={styles.own}>
          <p className={styles.address}>
            <span className={styles.label}>{t('booking.handle.profile')}</span>
            <span>
              {plain}
              <strong>{handle.handle}</strong>
            </span>
          </p>
          <span className={styles.actions}>
            <CopyButton text={handle.url} size="xs">
              {t('booking.row.copy')}
              <span className="hf-sr-only"> {t('booking.handle.toPage')}</span>
            </CopyButton>
            <ButtonAnchor
              href={handle.url}
              target="_blank"
              rel="noreferrer noopener"
              variant="subtle"
              size="xs"
              leftSection={<IconExternalLink size={15} aria-hidden />}
            >
              {t('booking.handle.open')}
            </ButtonAnchor>
            <Button variant="subtle" color="gray" size="xs" onClick={() => setChanging(true)}>
              {t('booking.handle.change')}
            </Button>
          </span>
        </div>
      </Panel>
    );
  }
  return (
    <Panel
      title={handle.handle === null ? t('booking.handle.chooseTitle') : t('booking.handle.changeTitle')}
      text={handle.handle === null ? t('booking.handle.chooseText') : t('booking.handle.changeText')}
    >
      <HandleForm handle={handle} plain={plain} onDone={() => setChanging(false)} />
    </Panel>
  );
}

function HandleForm({ handle, plain, onDone }: { handle: Handle; plain: string; onDone: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeHandle();
  const [name, setName] = useState(handle.handle ?? handle.suggestion ?? '');
  const rested = useRested(name);
  const isName = name.length >= shortestHandle && name.length <= longestHandle && handlePattern.test(name);
  const check = useQuery({
    queryKey: ['booking', 'handle-check', rested],
    queryFn: ({ signal }) => checkHandle(rested, signal),
    enabled: isName && rested === name && name !== handle.handle,
    staleTime: 10_000,
  });
  const state = rested === name ? check.data?.state : undefined;
  const problem =
    name !== '' && !isName
      ? t('booking.handle.form')
      : state === 'taken' || state === 'reserved'
        ? t(`booking.handle.${state}`)
        : null;

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isName || problem !== null) return;
    change.mutate(name, {
      onSuccess: () => {
        showToast({ subject: 'handle', state: 'ok', message: t('booking.handle.saved') });
        onDone();
      },
    });
  };
  return (
    <form className={styles.form} onSubmit={save}>
      <AddressField
        label={t('booking.handle.label')}
        base={plain}
        value={name}
        longest={longestHandle}
        problem={change.isError && change.variables === name ? errorText(change.error) : problem}
        note={problem === null && (state === 'free' || state === 'own') ? t('booking.handle.free') : ''}
        onChange={setName}
      />
      <span className={styles.actions}>
        {handle.handle === null ? null : (
          <Button type="button" variant="default" onClick={onDone}>
            {t('booking.cancel')}
          </Button>
        )}
        <ActionButton pending={change.isPending} pendingLabel={t('booking.saving')}>
          {handle.handle === null ? t('booking.handle.take') : t('booking.handle.save')}
        </ActionButton>
      </span>
    </form>
  );
}
