import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './duplicates-panel.module.css';
import { useDuplicates, useKeepApart, useMerge, useSplit } from './queries.ts';

/** Contacts that may be one person: merged by one press, which can be taken back. */
export function DuplicatesPanel() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const duplicates = useDuplicates();
  const merge = useMerge();
  const split = useSplit();
  const apart = useKeepApart();
  const pairs = duplicates.data?.pairs ?? [];
  if (pairs.length === 0) return null;
  const fail = (subject: string) => (error: Error) => showToast({ subject, state: 'bad', message: errorText(error) });
  const wordsOf = ({ name, address }: (typeof pairs)[number]['keep']) =>
    name === null ? address : `${name} (${address})`;
  return (
    <Panel title={t('contacts.duplicates.title', { count: pairs.length })} text={t('contacts.duplicates.text')}>
      <ul className={styles.pairs}>
        {pairs.slice(0, 3).map(({ keep, other, why }) => {
          const subject = `merge ${keep.id} ${other.id}`;
          return (
            <li key={subject}>
              <span className={styles.words}>
                {t('contacts.duplicates.pair', { one: wordsOf(keep), other: wordsOf(other) })}
                <span className={styles.why}>{t(`contacts.duplicates.why.${why}`)}</span>
              </span>
              <span className={styles.buttons}>
                <Button
                  variant="subtle"
                  size="xs"
                  onClick={() => apart.mutate({ id: keep.id, other: other.id }, { onError: fail(subject) })}
                >
                  {t('contacts.duplicates.apart')}
                  <span className="hf-sr-only"> {other.address}</span>
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() =>
                    merge.mutate(
                      { id: keep.id, other: other.id },
                      {
                        onSuccess: ({ moved }) =>
                          showToast({
                            subject,
                            state: 'ok',
                            message: t('contacts.duplicates.merged', { name: keep.name ?? keep.address }),
                            action: {
                              label: t('contacts.undo'),
                              run: () => split.mutate({ id: keep.id, ids: moved }, { onError: fail(subject) }),
                            },
                            staysMs: 10_000,
                          }),
                        onError: fail(subject),
                      },
                    )
                  }
                >
                  {t('contacts.duplicates.merge')}
                  <span className="hf-sr-only"> {other.address}</span>
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
