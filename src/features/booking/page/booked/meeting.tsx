import { sayDuration } from '../../rules/fill-words.ts';
import { useReading } from '../reading.tsx';

interface MeetingProps {
  title: string;
  startMinute: number;
  durationMinutes: number;
  /** The dates that are named; default: the one. */
  starts?: readonly number[];
  series?: { number: number; count: number } | null;
  people?: readonly string[];
}

/** A meeting in a few lines, on pages that ask one question about it. */
export function Meeting({ title, startMinute, durationMinutes, starts, series = null, people = [] }: MeetingProps) {
  const { say, moments, reading } = useReading();
  const facts = [
    sayDuration(say, durationMinutes),
    say('zone.name', moments.zoneName(reading.zone, startMinute)),
    ...(series === null ? [] : [say('booked.series', series)]),
  ];
  return (
    <>
      {title}
      {(starts ?? [startMinute]).map((minute) => (
        <span key={minute}>
          <br />
          {moments.span(minute, durationMinutes)}
        </span>
      ))}
      <br />
      <small>{facts.join(', ')}</small>
      {people.length === 0 ? null : (
        <>
          <br />
          <small>{people.join(', ')}</small>
        </>
      )}
    </>
  );
}
