import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { useEditCalls } from './edit-calls.ts';
import type { Edit } from './edit-shapes.ts';
import styles from './edit-troubles.module.css';
import { useEditing } from './editing.tsx';

/** Edits that could not be written, or that met somebody else's: what is kept, and what can be done. Several are one bar. */
export function EditTroubles({ edits }: { edits: readonly Edit[] }) {
  const { t } = useTranslation();
  const listId = useId();
  const [opened, setOpened] = useState(false);
  const isFolded = edits.length > 1;
  return (
    <div className={styles.troubles}>
      {isFolded ? (
        <Banner
          state={edits.some(({ state }) => state === 'failed') ? 'bad' : 'warn'}
          role="alert"
          title={t('editor.troubles', { count: edits.length })}
          actions={
            <Button
              variant="default"
              size="xs"
              aria-expanded={opened}
              aria-controls={listId}
              onClick={() => setOpened(!opened)}
            >
              {opened ? t('editor.trouble.hide') : t('editor.trouble.show')}
            </Button>
          }
        />
      ) : null}
      {opened || !isFolded ? (
        <div id={listId} className={styles.list}>
          {edits.map((edit) => (
            <Trouble key={edit.edit_id} edit={edit} isFolded={isFolded} />
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** The bar of folded ones has spoken already. */
function Trouble({ edit, isFolded }: { edit: Edit; isFolded: boolean }) {
  const { t } = useTranslation();
  const calls = useEditCalls();
  const begin = useEditing();
  const errorText = useErrorText();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const title = edit.title === '' ? t('calendar.untitled') : edit.title;
  const act = async (call: () => Promise<unknown>) => {
    if (pending) return;
    setPending(true);
    setFailure(undefined);
    try {
      await call();
    } catch (error) {
      setFailure(errorText(error));
    } finally {
      setPending(false);
    }
  };
  if (edit.state === 'conflict') {
    return (
      <Banner
        state="warn"
        role={isFolded ? undefined : 'alert'}
        title={t('editor.trouble.conflict', { title })}
        actions={
          <Button variant="default" size="xs" onClick={() => begin?.({ kind: 'settle', edit })}>
            {t('editor.trouble.choose')}
          </Button>
        }
      >
        {t('editor.trouble.conflictText')}
      </Banner>
    );
  }
  const isDone = edit.state === 'done';
  return (
    <Banner
      state={isDone ? 'warn' : 'bad'}
      role={isFolded ? undefined : 'alert'}
      title={t(`editor.trouble.${isDone ? 'untold' : edit.kind}`, { title })}
      actions={
        <>
          {edit.can_retry ? (
            <Button variant="default" size="xs" onClick={() => void act(() => calls.retry(edit.edit_id))}>
              {pending ? t('editor.retrying') : t('ui.retry')}
            </Button>
          ) : null}
          <Button variant="subtle" color="gray" size="xs" onClick={() => void act(() => calls.dismiss(edit.edit_id))}>
            {t('editor.trouble.dismiss')}
          </Button>
        </>
      }
    >
      {failure ?? edit.message}
    </Banner>
  );
}
