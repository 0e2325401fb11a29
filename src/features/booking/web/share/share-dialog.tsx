import { IconCheck, IconCode, IconDownload, IconEye, IconMail } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { loadWords } from '#ui/load-words.ts';
import { saveFile } from '#ui/save-file.ts';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { lengthText } from '../describe-type.ts';
import { LinkButton } from '../link-button.ts';
import type { EventType } from '../queries.ts';
import { useNoteCopied } from '../use-note-copied.ts';
import { PrivateLinks } from './private-links.tsx';
import styles from './share-dialog.module.css';

const QrCode = lazy(async () => ({ default: (await import('#ui/qr-code.tsx')).QrCode }));
const EmbedBuilder = lazy(async () => {
  const [{ EmbedBuilder: Builder }] = await Promise.all([import('../embed-builder.tsx'), loadWords('embed')]);
  return { default: Builder };
});

export interface ShareDialogProps {
  type: EventType;
  /** Just created. */
  isNew?: boolean;
  /** The link is on the clipboard already. */
  isCopied?: boolean;
  /** Begins with the code for a site. */
  isEmbed?: boolean;
  /** Whether the reader may change the event type; true by default. */
  mayChange?: boolean;
  onClose: () => void;
}

/** Every way to give an event type to somebody: the end of creating one, and the Share item of its row. */
export function ShareDialog({
  type,
  isNew = false,
  isCopied = false,
  isEmbed = false,
  mayChange = true,
  onClose,
}: ShareDialogProps) {
  const { t } = useTranslation();
  const noteCopied = useNoteCopied();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const [part, setPart] = useState<'embed' | 'prefill' | 'private' | null>(
    type.url === null ? 'private' : isEmbed ? 'embed' : null,
  );
  const code = useRef<HTMLDivElement>(null);
  const url = type.url === null ? null : prefilled(type.url, { name: name.trim(), email: email.trim(), ...answers });
  const toggle = (one: typeof part) => ({
    'aria-expanded': part === one,
    onClick: () => setPart(part === one ? null : one),
  });
  const saveCode = () => {
    const drawing = code.current?.querySelector('svg')?.cloneNode(true) as SVGSVGElement | undefined;
    if (!drawing) return;
    drawing.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    for (const side of ['width', 'height']) drawing.setAttribute(side, '1024');
    saveFile(new Blob([new XMLSerializer().serializeToString(drawing)], { type: 'image/svg+xml' }), `${type.slug}.svg`);
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={
        isNew ? (
          <span className={styles.live}>
            <span className={styles.tick}>
              <IconCheck size={18} aria-hidden />
            </span>
            {t('booking.share.live', { title: type.title })}
          </span>
        ) : (
          t('booking.share.title', { title: type.title })
        )
      }
      actions={
        <>
          {mayChange ? (
            <LinkButton to="/booking-links/$typeId" params={{ typeId: type.id }} variant="default" onClick={onClose}>
              {t('booking.share.edit')}
            </LinkButton>
          ) : null}
          <Button onClick={onClose}>{t('booking.share.done')}</Button>
        </>
      }
    >
      <div className={styles.parts}>
        {url === null ? (
          <p className={styles.text}>{type.secret ? t('booking.share.secret') : t('booking.share.noHandle')}</p>
        ) : (
          <section className={styles.open}>
            <div className={styles.side}>
              <p className={styles.text}>
                {t('booking.share.anyone', { length: lengthText(type.settings.durations_minutes[0] ?? 30, t) })}
              </p>
              <div className={styles.link}>
                <span className={styles.url}>{url.replace(/^https?:\/\//, '')}</span>
                <CopyButton text={url} size="xs" onCopied={noteCopied}>
                  {t('booking.row.copy')}
                </CopyButton>
              </div>
              <p className={styles.note} role="status">
                {isCopied && url === type.url ? t('booking.share.copied') : ''}
              </p>
              <div className={styles.tiles}>
                <a
                  className={styles.tile}
                  href={mailOf(
                    t('booking.share.mailSubject', { title: type.title }),
                    t('booking.share.mailText', { url }),
                  )}
                >
                  <IconMail size={20} stroke={1.6} aria-hidden />
                  {t('booking.share.mail')}
                </a>
                <button type="button" className={styles.tile} {...toggle('embed')}>
                  <IconCode size={20} stroke={1.6} aria-hidden />
                  {t('booking.share.embed')}
                </button>
                <a className={styles.tile} href={url} target="_blank" rel="noreferrer noopener">
                  <IconEye size={20} stroke={1.6} aria-hidden />
                  {t('booking.row.preview')}
                </a>
              </div>
            </div>
            <div className={styles.code} ref={code}>
              <Suspense fallback={<span className={styles.codeGhost} />}>
                <QrCode text={url} label={t('booking.share.code', { title: type.title })} size={164} />
              </Suspense>
              <Button
                variant="default"
                size="xs"
                fullWidth
                leftSection={<IconDownload size={15} aria-hidden />}
                onClick={saveCode}
              >
                {t('booking.share.download')}
              </Button>
            </div>
          </section>
        )}
        <div className={styles.actions}>
          {url === null ? null : (
            <Button variant="subtle" size="xs" {...toggle('prefill')}>
              {t('booking.share.prefill')}
            </Button>
          )}
          {type.url === null ? null : (
            <Button variant="subtle" size="xs" {...toggle('private')}>
              {t('booking.share.private')}
            </Button>
          )}
        </div>
        {part === 'embed' && type.url !== null ? (
          <Suspense>
            <EmbedBuilder url={type.url} frames={type.settings.frames} />
          </Suspense>
        ) : null}
        {part === 'prefill' ? (
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
        ) : null}
        {part === 'private' ? <PrivateLinks type={type} /> : null}
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
