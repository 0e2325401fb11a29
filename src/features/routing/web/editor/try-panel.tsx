import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayIn, type Facts, noFacts } from '#features/routing/rules/fact.ts';
import { StateBadge } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { ActionButton } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { useNowMs } from '#ui/clock.ts';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import {
  type Definition,
  type Form,
  type Outcome,
  type Person,
  type Question,
  type Target,
  useTry,
} from '../queries.ts';
import styles from '../routing.module.css';
import { conditionText } from './describe-condition.ts';
import { TryFacts } from './try-facts.tsx';

type Answers = Record<string, string | number | boolean | string[]>;

/** Answers in, and what would become of them, by the form as it stands on the screen. Nothing is kept. */
export function TryPanel({
  form,
  definition,
  targets,
  people,
}: {
  form: Form;
  definition: Definition;
  targets: readonly Target[] | undefined;
  people: readonly Person[];
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const tried = useTry();
  const { zone } = usePreferences();
  const nowMs = useNowMs();
  const [answers, setAnswers] = useState<Answers>({});
  const [facts, setFacts] = useState<Facts>({ ...noFacts, day: dayIn(zone, nowMs) });
  const asks = new Set(
    definition.rules.flatMap(({ conditions }) => conditions.flatMap((one) => ('fact' in one ? one.fact : []))),
  );
  const put = (id: string, answer: Answers[string] | undefined) => {
    const { [id]: _, ...others } = answers;
    setAnswers(answer === undefined ? others : { ...others, [id]: answer });
  };
  const asked = new Set(definition.questions.map(({ id }) => id));
  const run = () =>
    tried.mutate({
      ...(form.team_id === null ? {} : { team_id: form.team_id }),
      definition,
      answers: Object.fromEntries(Object.entries(answers).filter(([id]) => asked.has(id))),
      ...(asks.size === 0 ? {} : { facts }),
    });
  // the result belongs to the tested definition, which may have changed since
  const sent = tried.variables?.definition;
  return (
    <Panel title={t('routing.try.title')} text={t('routing.try.text')}>
      <div className={styles.form}>
        <div className={styles.fields}>
          {definition.questions.map((question, at) => (
            <Answer
              key={question.id}
              question={question}
              name={question.label || t('routing.question.nth', { n: at + 1 })}
              answer={answers[question.id]}
              wrong={tried.data?.wrong[question.id]}
              onChange={(answer) => put(question.id, answer)}
            />
          ))}
          <TryFacts facts={facts} asks={asks} people={people} onChange={setFacts} />
        </div>
        <span>
          <ActionButton
            type="button"
            variant="default"
            pending={tried.isPending}
            pendingLabel={t('routing.try.pending')}
            onClick={run}
          >
            {t('routing.try.run')}
          </ActionButton>
        </span>
        <div role="status">
          {tried.isError ? (
            <Banner state="bad">{errorText(tried.error)}</Banner>
          ) : tried.data?.decision && sent ? (
            <Decision decision={tried.data.decision} definition={sent} targets={targets} people={people} />
          ) : tried.data ? (
            <Banner state="warn">{t('routing.try.wrong')}</Banner>
          ) : null}
        </div>
      </div>
    </Panel>
  );
}

function Decision({
  decision,
  definition,
  targets,
  people,
}: {
  decision: NonNullable<Outcome['decision']>;
  definition: Definition;
  targets: readonly Target[] | undefined;
  people: readonly Person[];
}) {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const { rule_id: ruleId, action, reasons, trouble, next } = decision;
  const { rules, questions } = definition;
  const nameOf = (id: string) => {
    const at = rules.findIndex((rule) => rule.id === id);
    return rules[at]?.name ?? t('routing.rule.nth', { n: at + 1 });
  };
  const leadsTo =
    action.kind === 'event-type'
      ? (targets?.find((one) => one.event_type_id === action.event_type_id)?.title ?? t('routing.action.gone'))
      : action.kind === 'url'
        ? action.url
        : action.text;
  return (
    <section className={styles.decision} aria-label={t('routing.try.decision')}>
      <p className={styles.first}>
        {ruleId === null ? t('routing.try.fallback') : t('routing.try.rule', { name: nameOf(ruleId) })}
      </p>
      <p>
        <span className={styles.dim}>{t(`routing.actionKind.${action.kind}`)}: </span>
        {leadsTo}
      </p>
      {trouble === null ? null : <Banner state="warn">{t(`routing.trouble.${trouble}`)}</Banner>}
      {reasons.length === 0 ? null : (
        <ol className={styles.reasons} aria-label={t('routing.try.why')}>
          {reasons.map(({ rule_id: id, fits, held }) => (
            <li key={id}>
              <span className={styles.name}>
                {nameOf(id)}
                <StateBadge state={fits ? 'ok' : 'idle'}>
                  {fits ? t('routing.try.fits') : t('routing.try.not')}
                </StateBadge>
              </span>
              <Held
                texts={(rules.find((rule) => rule.id === id)?.conditions ?? []).map((one) =>
                  conditionText(one, questions, { people, locale, t }),
                )}
                held={held}
              />
            </li>
          ))}
        </ol>
      )}
      {next.length === 0 ? null : (
        <>
          <h3 className={styles.legend}>{t('routing.try.next')}</h3>
          <ol className={styles.reasons}>
            {next.map((host) => (
              <li key={host.user_id}>
                <span className={styles.name}>
                  {host.name}
                  {host.owner ? <StateBadge state="ok">{t('routing.try.owner')}</StateBadge> : null}
                </span>
                <p className={styles.hint}>
                  {t('routing.try.share', {
                    count: host.assigned,
                    weight: host.weight,
                    share: Math.round(host.share * 100) / 100,
                  })}
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

/** Conditions, each with whether it held. */
export function Held({ texts, held }: { texts: readonly string[]; held: readonly boolean[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.held}>
      {texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id, and do not move
        <li key={at} data-held={held[at]}>
          {held[at] ? <IconCheck size={15} aria-hidden /> : <IconX size={15} aria-hidden />}
          <span>
            {text}
            <span className="hf-sr-only">: {held[at] ? t('routing.try.held') : t('routing.try.notHeld')}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Answer({
  question,
  name,
  answer,
  wrong,
  onChange,
}: {
  question: Question;
  name: string;
  answer: Answers[string] | undefined;
  wrong: Outcome['wrong'][string] | undefined;
  onChange: (answer: Answers[string] | undefined) => void;
}) {
  const { t } = useTranslation();
  const { kind, options = [], required, hidden } = question;
  const error = wrong === undefined ? undefined : t(`routing.complaint.${wrong}`);
  const label = hidden ? t('routing.try.hidden', { name }) : name;
  if (kind === 'multi-select') {
    const chosen = Array.isArray(answer) ? answer : [];
    return (
      <fieldset className={`${styles.group} ${styles.whole}`}>
        <legend className={styles.legend}>{label}</legend>
        <div className={styles.checks}>
          {options.map((option) => (
            <Checkbox
              key={option.id}
              label={option.label}
              checked={chosen.includes(option.id)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...chosen, option.id] : chosen.filter((one) => one !== option.id),
                )
              }
            />
          ))}
        </div>
        {error === undefined ? null : <p className={styles.refused}>{error}</p>}
      </fieldset>
    );
  }
  if (kind === 'select' || kind === 'yes-no') {
    const choices =
      kind === 'select'
        ? options.map((option) => ({ value: option.id, label: option.label }))
        : (['yes', 'no'] as const).map((value) => ({ value, label: t(`routing.op.${value}`) }));
    return (
      <SelectField
        label={label}
        error={error}
        withAsterisk={required}
        value={typeof answer === 'boolean' ? (answer ? 'yes' : 'no') : String(answer ?? '')}
        data={[{ value: '', label: t('routing.try.open') }, ...choices]}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onChange(value === '' ? undefined : kind === 'select' ? value : value === 'yes');
        }}
      />
    );
  }
  const shared = { label, error, value: answer === undefined ? '' : String(answer), withAsterisk: required };
  if (kind === 'long') {
    return (
      <TextArea
        {...shared}
        className={styles.whole}
        minRows={2}
        maxLength={5_000}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      />
    );
  }
  return (
    <TextField
      {...shared}
      type={kind === 'number' ? 'number' : kind === 'email' ? 'email' : kind === 'phone' ? 'tel' : 'text'}
      {...(kind === 'number' ? { step: 'any' } : { maxLength: 500 })}
      onChange={(event) => {
        const { value, valueAsNumber } = event.currentTarget;
        onChange(value === '' ? undefined : kind === 'number' ? valueAsNumber : value);
      }}
    />
  );
}
