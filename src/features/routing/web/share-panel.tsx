import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type EmbedMode, embedModes, writeEmbed } from '#features/booking/rules/write-embed.ts';
import { hasOptions } from '#features/routing/rules/question.ts';
import { Banner } from '#ui/banner.tsx';
import { ButtonAnchor } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#ui/page.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { FormSwitch } from './form-switch.tsx';
import type { Definition, Form, Question } from './queries.ts';
import styles from './routing.module.css';
import { LinkButton } from './routing-link.tsx';

/** Where a form stands, and how it comes into a page of one’s own. */
export function SharePanel({ form, definition }: { form: Form; definition: Definition }) {
  const { t } = useTranslation();
  const { url, active } = form;
  if (url === null) {
    return (
      <Panel>
        <EmptyState
          art="missing"
          title={t('routing.share.none')}
          text={form.team_id === null ? t('routing.share.noneText') : t('routing.share.noneTeam')}
          action={
            <LinkButton to={form.team_id === null ? '/booking-links' : '/team/settings'}>
              {t('routing.share.toAddress')}
            </LinkButton>
          }
        />
      </Panel>
    );
  }
  return (
    <>
      {active ? null : (
        <Banner state="warn" actions={form.may_change ? <FormSwitch form={form} isNamed /> : null}>
          {t('routing.share.off')}
        </Banner>
      )}
      <Panel title={t('routing.share.link')} text={t('routing.share.linkText')}>
        <div className={styles.form}>
          <Code text={url} />
          <span className={styles.line}>
            <CopyButton text={url} size="xs">
              {t('routing.share.copy')}
            </CopyButton>
            <ButtonAnchor variant="default" size="xs" href={url} target="_blank" rel="noreferrer">
              {t('routing.share.open')}
            </ButtonAnchor>
          </span>
        </div>
      </Panel>
      <EmbedCode url={url} frames={definition.frames} />
      <Prefill url={url} questions={definition.questions} />
    </>
  );
}

function Code({ text }: { text: string }) {
  return (
    <pre className={styles.code}>
      <code>{text}</code>
    </pre>
  );
}

function EmbedCode({ url, frames }: { url: string; frames: readonly string[] }) {
  const { t } = useTranslation();
  const [mode, setMode] = useState<EmbedMode>('inline');
  const code = writeEmbed(url, mode, t('routing.share.button'));
  return (
    <Panel title={t('embed.code')} text={t('routing.share.embedText')}>
      <div className={styles.form}>
        {frames.length === 0 ? <Banner state="warn">{t('routing.share.noSites')}</Banner> : null}
        <SelectField
          label={t('embed.mode')}
          data={embedModes.map((value) => ({ value, label: t(`embed.${value}`) }))}
          value={mode}
          onChange={(event) => setMode(event.currentTarget.value as EmbedMode)}
        />
        <Code text={code} />
        <span>
          <CopyButton text={code} size="xs">
            {t('embed.copy')}
          </CopyButton>
        </span>
      </div>
    </Panel>
  );
}

/** How an address says answers, with the names that this form has for them. */
function Prefill({ url, questions }: { url: string; questions: readonly Question[] }) {
  const { t } = useTranslation();
  if (questions.length === 0) return null;
  const example = new URL(url);
  for (const question of questions.slice(0, 3))
    example.searchParams.set(question.hidden ? question.id.replaceAll('-', '_') : question.id, exampleOf(question));
  return (
    <Panel title={t('routing.prefill.title')} text={t('routing.prefill.text')}>
      <div className={styles.form}>
        <Code text={example.href} />
        <dl className={styles.names}>
          {questions.map((question) => (
            <div key={question.id}>
              <dt>
                <code>{question.hidden ? question.id.replaceAll('-', '_') : question.id}</code>
              </dt>
              <dd>
                {question.label}
                {question.hidden ? ` (${t('routing.prefill.hidden')})` : ''}
                {hasOptions(question.kind) ? (
                  <ul className={styles.held}>
                    {question.options?.map((option) => (
                      <li key={option.id}>
                        <code>{option.id}</code> {option.label}
                      </li>
                    ))}
                  </ul>
                ) : null}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  );
}

function exampleOf({ kind, options }: Question): string {
  switch (kind) {
    case 'email':
      return 'ada@example.org';
    case 'phone':
      return '+441632960000';
    case 'number':
      return '12';
    case 'yes-no':
      return 'yes';
    default:
      return options?.[0]?.id ?? 'Ada';
  }
}
