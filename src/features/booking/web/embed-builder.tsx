import { createElement, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type EmbedMode, embedModes, writeEmbed } from '#features/booking/rules/write-embed.ts';
import { Banner } from '#ui/banner.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { TextField } from '#ui/text-field.tsx';
import styles from './embed-builder.module.css';

/** The code for embedding, and a preview of the element itself. */
export function EmbedBuilder({ url, frames }: { url: string; frames: readonly string[] }) {
  const { t } = useTranslation();
  const [mode, setMode] = useState<EmbedMode>('inline');
  const [typed, setTyped] = useState('');
  const label = typed.trim() || t('embed.labelDefault');
  const code = writeEmbed(url, mode, label);
  return (
    <div className={styles.builder}>
      {frames.length === 0 ? <Banner state="warn">{t('embed.noSites')}</Banner> : null}
      <Segmented
        aria-label={t('embed.mode')}
        data={embedModes.map((value) => ({ value, label: t(`embed.${value}`) }))}
        value={mode}
        onChange={(value) => setMode(value as EmbedMode)}
      />
      {mode === 'inline' ? null : (
        <TextField
          label={t('embed.label')}
          placeholder={t('embed.labelDefault')}
          value={typed}
          maxLength={80}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <figure className={styles.code}>
        <figcaption>{t('embed.code')}</figcaption>
        <pre>
          <code>{code}</code>
        </pre>
        <CopyButton text={code} size="xs">
          {t('embed.copy')}
        </CopyButton>
      </figure>
      <p className={styles.hint}>{t('embed.event')}</p>
      <section aria-label={t('embed.preview')}>
        <h3 className={styles.heading}>{t('embed.preview')}</h3>
        <p className={styles.hint}>{t('embed.previewText')}</p>
        <Preview key={mode} link={new URL(url).pathname.slice(1)} mode={mode} label={label} />
      </section>
    </div>
  );
}

function Preview({ link, mode, label }: { link: string; mode: EmbedMode; label: string }) {
  useEffect(() => {
    if (customElements.get('holdfast-booking') !== undefined) return;
    const script = document.createElement('script');
    script.src = '/embed.js';
    document.head.append(script);
  }, []);
  const element = createElement(
    'holdfast-booking',
    { link, label, ...(mode === 'inline' ? {} : { mode }) },
    mode === 'popup' ? <button type="button">{label}</button> : null,
  );
  // the corner is that of a page, which this box stands for
  return (
    <div className={styles.preview} data-mode={mode} key={label}>
      {element}
    </div>
  );
}
