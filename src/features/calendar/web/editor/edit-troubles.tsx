import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { useEditCalls } from './edit-calls.ts';
import type { Edit } from './edit-shapes.ts';
import styles from './edit-troubles.module.css';
import { useEditing } from './editing.tsx';

/** Banners beyond this would push the calendar off the screen. */
const mostShown = 3;

/** Edits that could not be written, or that met somebody else's: what is kept, and what can be done. */
export function EditTroubles({ edits }: { edits: readonly Edit[] }) {
  const { t } = useTranslation();
  return (
    <div className={styles.troubles}>
      {edits.slice(0, mostShown).map((edit) => (
        <Trouble key={edit.edit_id} edit={edit} />
      ))}
      {edits.length > mostShown ? (
        <Banner state="warn">{t('editor.moreTroubles', { count: edits.length - mostShown })}</Banner>
      ) : null}
    </div>
  );
}

function Trouble({ edit }: { edit: Edit }) {
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
        role="alert"
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
      role="alert"
      title={t(`editor.trouble.${isDone ? 'untold' : edit.kind}`, { title })}
      actions={
        <>
          {isDone ? null : (
            <Button variant="default" size="xs" onClick={() => void act(() => calls.retry(edit.edit_id))}>
              {pending ? t('editor.retrying') : t('ui.retry')}
            </Button>
          )}
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
