import { IconMail } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonAnchor } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { LinkButton } from './link-button.ts';
import { PrivateLinks } from './private-links.tsx';
import type { EventType } from './queries.ts';
import styles from './share-dialog.module.css';
import { useNoteCopied } from './use-note-copied.ts';

const QrCode = lazy(async () => ({ default: (await import('#ui/qr-code.tsx')).QrCode }));

export interface ShareDialogProps {
  type: EventType;
  /** It was made a moment ago: the dialog says so, and leads on to its settings. */
  isNew?: boolean;
  onClose: () => void;
}

/** Every way to give an event type to somebody. */
export function ShareDialog({ type, isNew = false, onClose }: ShareDialogProps) {
  const { t } = useTranslation();
  const noteCopied = useNoteCopied();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const url = type.url === null ? null : prefilled(type.url, { name: name.trim(), email: email.trim(), ...answers });
  return (
    <Dialog
      opened
      onClose={onClose}
      title={isNew ? t('booking.share.live', { title: type.title }) : t('booking.share.title', { title: type.title })}
      actions={
        isNew ? (
          <>
            <LinkButton to="/availability/links/$typeId" params={{ typeId: type.id }} variant="default">
              {t('booking.share.editDetails')}
            </LinkButton>
            <Button variant="default" onClick={onClose}>
              {t('booking.share.done')}
            </Button>
          </>
        ) : null
      }
    >
      <div className={styles.parts}>
        {url === null ? (
          <p className={styles.text}>{type.secret ? t('booking.share.secret') : t('booking.share.noHandle')}</p>
        ) : (
          <section className={styles.open}>
            <Suspense fallback={<span className={styles.codeGhost} />}>
              <QrCode text={url} label={t('booking.share.code', { title: type.title })} size={148} />
            </Suspense>
            <div className={styles.side}>
              <p className={styles.url}>{url}</p>
              <span className={styles.actions}>
                <CopyButton text={url} size="xs" variant={isNew ? 'filled' : 'default'} onCopied={noteCopied}>
                  {t('booking.row.copy')}
                </CopyButton>
                <ButtonAnchor
                  href={mailOf(
                    t('booking.share.mailSubject', { title: type.title }),
                    t('booking.share.mailText', { url }),
                  )}
                  variant="default"
                  size="xs"
                  leftSection={<IconMail size={16} aria-hidden />}
                >
                  {t('booking.share.mail')}
                </ButtonAnchor>
              </span>
              <details className={styles.prefill}>
                <summary>{t('booking.share.prefill')}</summary>
                <div className={styles.fields}>
                  <TextField
                    label={t('booking.share.guestName')}
                    value={name}
                    maxLength={120}
                    autoComplete="off"
                    onChange={(event) => setName(event.currentTarget.value)}
                  />
                  <TextField
                    label={t('booking.share.guestEmail')}
                    type="email"
                    value={email}
                    maxLength={254}
                    autoComplete="off"
                    onChange={(event) => setEmail(event.currentTarget.value)}
                  />
                  {type.settings.questions.filter(isPrefilled).map((question) => (
                    <Prefill
                      key={question.id}
                      question={question}
                      value={answers[`q-${question.id}`] ?? ''}
                      onChange={(answer) => setAnswers({ ...answers, [`q-${question.id}`]: answer })}
                    />
                  ))}
                </div>
              </details>
            </div>
          </section>
        )}
        {isNew ? null : <PrivateLinks type={type} />}
      </div>
    </Dialog>
  );
}

type Question = EventType['settings']['questions'][number];

/** A tick is the guest's own: no link brings it along. */
const isPrefilled = ({ kind }: Question) => kind !== 'checkbox';

/** An answer that the link brings along; as the form takes it. */
function Prefill(props: { question: Question; value: string; onChange: (answer: string) => void }) {
  const { question, value, onChange } = props;
  const { t } = useTranslation();
  const { label, kind, options = [] } = question;
  if (kind === 'choice')
    return (
      <SelectField
        label={label}
        value={value}
        data={[{ value: '', label: t('booking.share.leftOpen') }, ...options]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <TextField
      label={label}
      value={value}
      maxLength={500}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The booking page fills its form with what its address says. */
function prefilled(url: string, fields: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''));
  return query.size === 0 ? url : `${url}?${query}`;
}

const mailOf = (subject: string, text: string) =>
  `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;
