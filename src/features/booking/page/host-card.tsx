import { type Say, sayDuration } from '../rules/fill-words.ts';
import type { ProfileData, ShownHost, ShownLocation, ShownType } from '../rules/visit-data.ts';
import { sayNotice } from './change-terms.ts';
import { Glyph, type GlyphName } from './glyph.tsx';
import { useReading } from './reading.tsx';

const glyphOf = ({ kind }: ShownLocation): GlyphName =>
  kind === 'phone' ? kind : kind === 'in-person' ? 'place' : 'video';

function sayLocation(say: Say, location: ShownLocation): string {
  if (location.kind === 'phone' && location.who_calls === 'host') return say('location.host-calls');
  if (location.kind === 'in-person' && location.address !== '') return location.address;
  return say(`location.${location.kind}`);
}

export function Avatar({ host }: { host: ShownHost }) {
  return host.avatarUrl === null ? (
    <span className="avatar" aria-hidden="true">
      {host.initials}
    </span>
  ) : (
    <img className="avatar" src={host.avatarUrl} alt="" width="44" height="44" />
  );
}

interface Fact {
  glyph: GlyphName;
  text: string;
}

/** Length and place of a meeting, and the terms on which it can be booked. */
export function listFacts(
  say: Say,
  type: ProfileData['types'][number] | ShownType,
  durations: readonly number[],
): Fact[] {
  const { location, confirmation, recurring, seats } = type;
  return [
    { glyph: 'clock', text: durations.map((minutes) => sayDuration(say, minutes)).join(', ') },
    { glyph: glyphOf(location), text: sayLocation(say, location) },
    ...(confirmation ? [{ glyph: 'check', text: say('offer.confirmation') } as const] : []),
    ...(recurring === null
      ? []
      : [{ glyph: 'calendar', text: say(`recurring.${recurring.every}`, { n: recurring.max }) } as const]),
    ...(seats > 1 ? [{ glyph: 'people', text: say('seats', { n: seats }) } as const] : []),
  ];
}

/** Host and event type. */
export function HostCard({
  host,
  type,
  duration,
  isMoving,
}: {
  host: ShownHost;
  type: ShownType;
  duration: number;
  isMoving: boolean;
}) {
  const { say } = useReading();
  const facts = listFacts(say, isMoving ? { ...type, recurring: null, confirmation: false } : type, [duration]);
  return (
    <header className="head">
      <Avatar host={host} />
      <div className="who">
        <p>{host.path === null ? host.name : <a href={host.path}>{host.name}</a>}</p>
        <h1>{type.title}</h1>
        {type.hosts === undefined ? null : <p>{type.hosts}</p>}
        <ul className="facts">
          {facts.map(({ glyph, text }) => (
            <li key={glyph}>
              <Glyph name={glyph} />
              {text}
            </li>
          ))}
        </ul>
      </div>
    </header>
  );
}

/** `isChoosing`: no time is chosen, so the deadline for changes has no date yet. */
export function About({ type, isChoosing }: { type: ShownType; isChoosing: boolean }) {
  const { say } = useReading();
  if (type.description === '' && type.cancellation === '' && !isChoosing) return null;
  return (
    <div className="about">
      {type.description === '' ? null : <p>{type.description}</p>}
      {type.cancellation === '' && !isChoosing ? null : <h2>{say('cancellation')}</h2>}
      {isChoosing ? <p>{sayNotice(say, type.changeUntilMinutes)}</p> : null}
      {type.cancellation === '' ? null : <p>{type.cancellation}</p>}
    </div>
  );
}
