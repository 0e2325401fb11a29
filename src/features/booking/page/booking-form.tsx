import { useEffect, useRef } from 'react';
import { longestName } from '../rules/check-typed.ts';
import { sayDuration } from '../rules/fill-words.ts';
import { type BookingData, longestReason } from '../rules/visit-data.ts';
import { sayDeadline, sayNotice } from './change-terms.ts';
import { FormField } from './form-field.tsx';
import { Glyph } from './glyph.tsx';
import { GoLink } from './go-link.tsx';
import { useReading } from './reading.tsx';
import { SeriesDates } from './series-dates.tsx';
import { Offset, TryAgain } from './slot-list.tsx';
import type { Filling } from './use-filling.ts';
import type { Visit } from './use-visit.ts';

interface BookingFormProps {
  visit: Visit;
  filling: Filling;
  slot: number;
  /** By an act on this page. */
  isOpened: boolean;
}

function sendKey({ moving, type }: BookingData, { asksMail }: Filling): string {
  if (moving !== null) return moving.asks === null ? 'form.move' : 'form.request-move';
  if (asksMail) return 'form.send-link';
  return type.confirmation ? 'form.request' : 'form.confirm';
}

function sendingKey({ moving }: BookingData, { asksMail }: Filling): string {
  if (moving !== null) return moving.asks === null ? 'form.moving' : 'form.requesting';
  return asksMail ? 'form.sending-link' : 'form.sending';
}

/** The guest's details and the host's questions. A real form: without script it is sent and answered with a page. */
export function BookingForm({ visit, filling, slot, isOpened }: BookingFormProps) {
  const { say, moments, reading } = useReading();
  const { data, place } = visit;
  const { type, host, moving } = data;
  const heading = useRef<HTMLHeadingElement>(null);
  const byAct = useRef(isOpened); // as it was when the form opened
  const top = useRef<HTMLDivElement>(null);
  const { typed, wrong, isSending, taken, takenStart, trouble, closed } = filling;
  useEffect(() => {
    // A page that another site opens with the form begins at its beginning. A time that is chosen before this script has
    // loaded opens the form by a page of its own.
    const isFollowed = document.referrer.split('?')[0] === `${location.origin}${location.pathname}`;
    if (byAct.current || isFollowed) heading.current?.focus();
  }, []);
  useEffect(() => {
    if (taken !== null || trouble !== null || closed !== null) top.current?.focus();
  }, [taken, trouble, closed]);
  // for another date of a series, the list of dates shows its state and offers other times
  const isOtherDate = takenStart !== null && takenStart !== slot;
  const gone = isOtherDate ? null : taken;
  const field = (name: string) => ({
    name,
    value: typed[name] ?? '',
    wrong: wrong[name],
    onType: filling.type,
    onLeave: filling.leave,
  });
  const hidden = {
    ...data.carried,
    slot,
    duration: place.duration,
    attempt: data.attempt,
    ...(moving === null ? {} : { sequence: moving.sequence }),
  };
  const isOpen = gone === null || filling.hasWritten;
  const count = Object.keys(wrong).length;
  const left = visit.seatsLeft(slot);
  const until = slot - type.changeUntilMinutes;
  const deadline =
    Number(typed.times ?? 1) > 1
      ? sayNotice(say, type.changeUntilMinutes)
      : until <= data.nowMinute
        ? say('change.closed')
        : sayDeadline(say, moments, { start: slot, until });
  const send = say((isSending ? sendingKey : sendKey)(data, filling));
  const isSame = moving !== null && slot === moving.startMinute && place.duration === moving.durationMinutes;
  return (
    <form
      ref={filling.form}
      className="details"
      method="post"
      action={data.path}
      noValidate={filling.isLive}
      onSubmit={filling.submit}
      aria-labelledby="details"
    >
      {/* Enter in a field presses the first button of a form, which must be neither another time nor "Show dates". */}
      {isOpen ? <button type="submit" className="only-read" tabIndex={-1} aria-hidden="true" /> : null}
      <GoLink to={visit.linkTo({ slot: null })} className="back">
        <Glyph name="back" />
        {say('form.back')}
      </GoLink>
      <h2 id="details" ref={heading} tabIndex={-1} suppressHydrationWarning>
        {moments.span(slot, place.duration)}
        <small suppressHydrationWarning>
          {sayDuration(say, place.duration)}, {say('zone.name', moments.zoneName(reading.zone, slot))}
          {left === null ? null : `, ${say('times.seats', { n: left, of: type.seats })}`}
        </small>
      </h2>
      <div ref={top} tabIndex={-1} role="alert" className="top">
        {gone === null ? null : <Taken visit={visit} filling={filling} slot={slot} taken={gone} />}
        {isOtherDate ? (
          <p className="banner warn" suppressHydrationWarning>
            <Glyph name="warn" />
            {say('series.refused', { time: moments.moment(takenStart ?? slot) })}
          </p>
        ) : null}
        {isSame ? (
          <p className="banner warn">
            <Glyph name="warn" />
            {say('move.same')}
          </p>
        ) : null}
        {closed === null ? null : (
          <div className="banner warn">
            <h3>
              <Glyph name="warn" />
              {closed}
            </h3>
            <TryAgain act={filling.reopen} />{' '}
            {moving !== null ? (
              <a href={moving.backTo}>{say('move.keep')}</a>
            ) : host.path === null ? null : (
              <a href={host.path} target="_top">
                {say('month.others', { host: host.name })}
              </a>
            )}
          </div>
        )}
        {trouble === null ? null : (
          <p className="banner bad">
            <Glyph name="warn" />
            {trouble}
          </p>
        )}
        {count > 0 && filling.wasSent ? (
          <p className="banner bad">
            <Glyph name="warn" />
            {say('wrong.some', { n: count })}
          </p>
        ) : null}
      </div>
      {Object.entries(hidden).map(([name, value]) =>
        ['name', 'email'].includes(name) ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {moving === null && isOpen ? (
        <>
          <FormField
            {...field('name')}
            label={say('form.name')}
            kind="text"
            required
            autoComplete="name"
            longest={longestName}
          />
          <FormField {...field('email')} label={say('form.email')} kind="email" required autoComplete="email" />
          {type.location.kind === 'phone' && type.location.who_calls === 'host' ? (
            <FormField
              {...field('phone')}
              label={say('form.phone')}
              kind="phone"
              required
              hint={say('form.phone-hint')}
              autoComplete="tel"
            />
          ) : null}
          {type.questions.map(({ id, label, kind, required, options }) => (
            <FormField key={id} {...field(`q-${id}`)} label={label} kind={kind} required={required} options={options} />
          ))}
          {type.guestsAllowed > 0 ? (
            <FormField
              {...field('guests')}
              label={say('form.guests')}
              kind="long"
              required={false}
              hint={`${say('form.guests-hint', { n: type.guestsAllowed })} ${data.hasMail ? say('form.guests-proof') : ''}`}
            />
          ) : null}
          {type.recurring === null ? null : <HowOften recurring={type.recurring} filling={filling} />}
        </>
      ) : null}
      {moving === null || isSame ? null : (
        <>
          <dl className="move">
            <dt>{say('move.before')}</dt>
            <dd className="over" suppressHydrationWarning>
              {moments.moment(moving.startMinute)}
            </dd>
            <dt>{say('move.after')}</dt>
            <dd suppressHydrationWarning>{moments.moment(slot)}</dd>
          </dl>
          {moving.effect && <p className="banner warn">{moving.effect}</p>}
          <FormField
            {...field('reason')}
            label={say('cancel.reason')}
            kind="long"
            required={false}
            hint={moving.hint}
            longest={longestReason}
          />
        </>
      )}
      {isOpen ? (
        <p className="hint" suppressHydrationWarning>
          {[
            deadline,
            type.confirmation && moving === null
              ? say(data.hasMail ? 'form.needs-confirmation' : 'form.needs-confirmation-no-mail', { host: host.name })
              : '',
            moving === null && data.hasMail && !filling.asksMail ? say('form.may-confirm') : '',
            moving === null ? say('form.privacy', { host: host.name }) : '',
            moving === null && type.guestsAllowed > 0 ? say('form.privacy-guests') : '',
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      ) : null}
      {filling.asksMail && isOpen ? (
        <p className="banner" role="status">
          {say(type.confirmation ? 'form.link-first-request' : 'form.link-first')}
        </p>
      ) : null}
      {gone !== null || isSame || closed !== null ? null : (
        <div className="confirm">
          <p suppressHydrationWarning>
            <span className="when" suppressHydrationWarning>
              {moments.moment(slot)}
            </span>
            <span role="status">
              {filling.isWorking
                ? say('form.working')
                : filling.held === null
                  ? ''
                  : filling.held === 'over'
                    ? say('form.hold-over')
                    : say('form.held', { time: moments.time(filling.held) + moments.offsetAt(filling.held) })}
            </span>
          </p>
          <button type="submit" className="button main" aria-disabled={isSending}>
            {send}
          </button>
        </div>
      )}
    </form>
  );
}

interface TakenProps {
  visit: Visit;
  filling: Filling;
  slot: number;
  taken: readonly number[];
}

/**
 * The chosen time is gone. The form stays for a guest who has written in it; times near to it are the way on. Without
 * script the buttons keep what was written, and the list of all times does not: nothing is promised of it.
 */
function Taken({ visit, filling, slot, taken }: TakenProps) {
  const { say, moments } = useReading();
  const { hasWritten, takenBy } = filling;
  const time = moments.moment(slot);
  const offsetOf = moments.offsetsOf([slot, ...taken]);
  return (
    <div className="banner warn">
      <h3>
        <Glyph name="warn" />
        {say(`taken.${takenBy}`)}
      </h3>
      <p suppressHydrationWarning>
        {say(hasWritten && filling.isLive ? 'taken.kept' : 'taken.time', { time })}{' '}
        {say(taken.length === 0 ? 'taken.none' : takenBy === 'past' ? 'taken.next' : 'taken.near')}
      </p>
      {taken.map((minute) => {
        const label = (
          <>
            {moments.moment(minute)}
            <Offset text={offsetOf(minute)} />
          </>
        );
        return hasWritten ? (
          <button
            key={minute}
            type="submit"
            name="near"
            value={minute}
            className="button"
            onClick={(event) => filling.chooseNear(event, minute)}
            suppressHydrationWarning
          >
            {label}
          </button>
        ) : (
          <GoLink key={minute} to={visit.linkTo({ slot: minute })} rel="nofollow" className="button">
            {label}
          </GoLink>
        );
      })}
    </div>
  );
}

interface HowOftenProps {
  recurring: NonNullable<BookingData['type']['recurring']>;
  filling: Filling;
}

function HowOften({ recurring, filling }: HowOftenProps) {
  const { say } = useReading();
  return (
    <div className="field">
      <label htmlFor="times">
        {say('form.times')} <small>({say(`form.every.${recurring.every}`)})</small>
      </label>
      <select
        id="times"
        name="times"
        value={filling.typed.times ?? '1'}
        onChange={(event) => filling.type('times', event.target.value)}
      >
        {Array.from({ length: recurring.max }, (_, at) => at + 1).map((n) => (
          <option key={n} value={n}>
            {n === 1 ? say('form.times-once') : say('form.times-n', { n })}
          </option>
        ))}
      </select>
      <noscript>
        <button type="submit" name="dates" value="1" className="button" formNoValidate>
          {say('series.show')}
        </button>
      </noscript>
      <SeriesDates filling={filling} />
    </div>
  );
}
