import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatDay, formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { State } from '#ui/state.ts';
import { sayValue } from './editor/describe-condition.ts';
import { Held } from './editor/try-panel.tsx';
import type { Form, Submission } from './queries.ts';
import styles from './routing.module.css';
import { LinkButton } from './routing-link.tsx';

const RerouteDialog = lazy(async () => ({ default: (await import('./reroute-dialog.tsx')).RerouteDialog }));

const bookingLooks: Record<NonNullable<Submission['booking']>['state'], State> = {
  held: 'pending',
  'awaiting-mail': 'pending',
  pending: 'pending',
  confirmed: 'ok',
  declined: 'bad',
  cancelled: 'idle',
  expired: 'idle',
};

const names = (hosts: readonly { name: string }[]) => hosts.map(({ name }) => name).join(', ');

/** Facts that a rule asked for. */
function Known({ known }: { known: Submission['known'] }) {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const { language, zone, day, contact } = known;
  const telling = { people: [], locale, t };
  const rows = [
    ...(language === null ? [] : [['language', sayValue('language', language, telling)] as const]),
    ...(zone === null ? [] : [['zone', zone] as const]),
    ...(day === null ? [] : [['day', sayValue('day', day, telling)] as const]),
    ...(contact === null ? [] : [['owner', contact.owner ?? t('routing.known.nobody')] as const]),
    ...(contact === null || contact.tags.length === 0 ? [] : [['tags', contact.tags.join(', ')] as const]),
  ];
  if (rows.length === 0) return null;
  return (
    <section aria-label={t('routing.known.title')}>
      <h3 className={styles.legend}>{t('routing.known.title')}</h3>
      <dl className={styles.names}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`routing.known.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A submission with its visitor and destination. A press shows the reasons. */
export function SubmissionRow({ submission, form }: { submission: Submission; form: Form }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const [isOpen, setOpen] = useState(false);
  const [rerouting, setRerouting] = useState(false);
  const { booking, action, email, answers, reasons, deeds, hosts } = submission;
  const who = submission.name ?? email ?? t('routing.submissions.somebody');
  const withWhom = booking?.hosts ?? hosts;
  const at = (ms: number) => `${formatDay(ms, preferences, nowMs)}, ${formatTime(ms, preferences)}`;
  const rule =
    submission.rule_id === null
      ? t('routing.submissions.fallback')
      : t('routing.submissions.rule', { name: submission.rule_name ?? submission.rule_id });
  return (
    <li className={styles.submission}>
      <div className={styles.row}>
        <div className={styles.texts}>
          <p className={styles.name}>
            <span className={styles.first}>{who}</span>
            {booking ? (
              <StateBadge state={bookingLooks[booking.state]}>{t(`routing.booking.${booking.state}`)}</StateBadge>
            ) : action?.kind === 'event-type' ? (
              <StateBadge state="pending">{t('routing.booking.open')}</StateBadge>
            ) : null}
          </p>
          <p>
            {action === null ? (
              t('routing.submissions.nothing')
            ) : (
              <>
                <span className={styles.dim}>{t(`routing.actionKind.${action.kind}`)}: </span>
                {submission.leads_to}
              </>
            )}
            {withWhom.length > 0 ? <span className={styles.dim}> · {names(withWhom)}</span> : null}
          </p>
          <p className={styles.hint}>
            {rule} · <RelativeTime at={submission.at} />
          </p>
        </div>
        <span className={styles.actions}>
          <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('routing.submissions.less') : t('routing.submissions.more')}
            <span className="hf-sr-only"> {who}</span>
          </Button>
          {submission.may_reroute ? (
            <Button variant="default" size="xs" onClick={() => setRerouting(true)}>
              {t('routing.reroute.open')}
              <span className="hf-sr-only"> {who}</span>
            </Button>
          ) : null}
        </span>
      </div>
      {isOpen ? (
        <div className={styles.details}>
          {submission.trouble === null ? null : (
            <Banner state="warn">{t(`routing.troubled.${submission.trouble}`)}</Banner>
          )}
          <section aria-label={t('routing.submissions.answers')}>
            <h3 className={styles.legend}>{t('routing.submissions.answers')}</h3>
            <dl className={styles.names}>
              {answers.map((one) => (
                <div key={one.id}>
                  <dt>{one.label}</dt>
                  <dd>
                    {typeof one.answer === 'string' ? one.answer : t(`routing.answer.${one.answer ? 'yes' : 'no'}`)}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
          <Known known={submission.known} />
          <section aria-label={t('routing.try.why')}>
            <h3 className={styles.legend}>{t('routing.try.why')}</h3>
            {reasons.length === 0 ? <p className={styles.hint}>{t('routing.submissions.noRules')}</p> : null}
            <ol className={styles.reasons}>
              {reasons.map((reason) => (
                <li key={reason.rule_id}>
                  <span className={styles.name}>
                    {reason.rule_name}
                    <StateBadge state={reason.fits ? 'ok' : 'idle'}>
                      {reason.fits ? t('routing.try.fits') : t('routing.try.not')}
                    </StateBadge>
                    {reason.conditions.length > 1 ? (
                      <span className={styles.hint}>{t(`routing.match.${reason.match}`)}</span>
                    ) : null}
                  </span>
                  <Held texts={reason.conditions} held={reason.held} />
                </li>
              ))}
            </ol>
          </section>
          {deeds.length === 0 ? null : (
            <section aria-label={t('routing.submissions.since')}>
              <h3 className={styles.legend}>{t('routing.submissions.since')}</h3>
              <ul className={styles.reasons}>
                {deeds.map((deed) => (
                  <li key={deed.at}>
                    {t(`routing.deed.${deed.kind}`, {
                      by: deed.by ?? t('routing.submissions.gone'),
                      from: deed.from,
                      to: deed.to,
                    })}
                    <p className={styles.hint}>{at(deed.at)}</p>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {booking ? (
            <p className={styles.line}>
              <span>
                {t('routing.submissions.booked', {
                  at: at(booking.start_time),
                  hosts: names(booking.hosts),
                })}
              </span>
              <LinkButton
                variant="default"
                size="xs"
                {...(form.team_id === null
                  ? { to: '/meetings', search: { booking: booking.booking_id } }
                  : {
                      to: '/meetings/team/$teamId',
                      params: { teamId: form.team_id },
                      search: { booking: booking.booking_id },
                    })}
              >
                {t('routing.submissions.toBooking')}
              </LinkButton>
            </p>
          ) : submission.link_url === null ? null : (
            <p className={styles.line}>
              <span className={styles.hint}>{t('routing.submissions.link')}</span>
              <CopyButton text={submission.link_url} size="xs" />
            </p>
          )}
        </div>
      ) : null}
      <Suspense>
        {rerouting ? (
          <RerouteDialog submission={submission} form={form} who={who} onClose={() => setRerouting(false)} />
        ) : null}
      </Suspense>
    </li>
  );
}
