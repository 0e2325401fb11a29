import { type FormEvent, useState } from 'react';
import { rangeOfMonth } from '../rules/month-days.ts';
import { callApi } from './call-api.ts';
import { Glyph } from './glyph.tsx';
import { useReading } from './reading.tsx';
import type { BusySpan, Visit } from './use-visit.ts';

const largestFile = 1_000_000;

interface Busy {
  busy: BusySpan[];
}

/** The visitor's own calendar over the times, for whom there is script; nobody but them sees it. */
export function Overlay({ visit }: { visit: Visit }) {
  const { say } = useReading();
  const { host, overlay } = visit.data;
  const [state, setState] = useState<'closed' | 'open' | 'busy' | number>('closed');
  const [wrong, setWrong] = useState<string | null>(null);
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const ask = async (wanted: { kind: 'address'; url: string } | { kind: 'own' } | File) => {
    setState('busy');
    setWrong(null);
    const from = Math.max(rangeOfMonth(visit.place.month).from, visit.data.nowMinute);
    const days = 62;
    const { zone } = visit.reading;
    const answer = await (wanted instanceof File
      ? callApi<Busy>(
          'POST',
          `${overlay}/file?${new URLSearchParams({ from: `${from}`, days: `${days}`, zone })}`,
          wanted,
        )
      : callApi<Busy>('POST', overlay, { from, days, zone, ...wanted }));
    if (answer.ok) {
      visit.setBusy(answer.body.busy);
      setState(answer.body.busy.length);
      return;
    }
    setNeedsSignIn(answer.status === 401);
    setWrong(answer.status === 401 ? null : answer.message || say('overlay.failed'));
    setState('open');
  };
  const compare = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const file = form.get('file');
    if (file instanceof File && file.size > 0) {
      if (file.size > largestFile) return setWrong(say('overlay.too-large'));
      return ask(file);
    }
    const url = form.get('url');
    return ask({ kind: 'address', url: typeof url === 'string' ? url : '' });
  };
  if (typeof state === 'number') {
    return (
      <p className="overlay" role="status">
        <Glyph name="calendar" />
        {state === 0 ? say('overlay.none') : say('overlay.shown', { n: state })}{' '}
        <button
          type="button"
          className="plain"
          onClick={() => {
            visit.setBusy([]);
            setState('closed');
          }}
        >
          {say('overlay.remove')}
        </button>
      </p>
    );
  }
  return (
    <details
      className="overlay"
      open={state !== 'closed'}
      onToggle={(event) => setState(event.currentTarget.open ? 'open' : 'closed')}
    >
      <summary>
        <Glyph name="calendar" />
        {say('overlay.title')}
      </summary>
      <p className="hint">{say('overlay.text', { host: host.name })}</p>
      <form onSubmit={(event) => void compare(event)}>
        <label htmlFor="overlay-file">{say('overlay.file')}</label>
        <input id="overlay-file" type="file" name="file" accept=".ics,text/calendar" />
        <label htmlFor="overlay-url">{say('overlay.url')}</label>
        <input id="overlay-url" type="url" name="url" inputMode="url" />
        {wrong === null ? null : (
          <p className="wrong" role="alert">
            {wrong}
          </p>
        )}
        <p>
          <button type="submit" className="button" aria-disabled={state === 'busy'}>
            {say(state === 'busy' ? 'overlay.comparing' : 'overlay.compare')}
          </button>{' '}
          {needsSignIn ? (
            <a href={`/login?from=${encodeURIComponent(visit.data.path)}`} target="_top">
              {say('overlay.sign-in')}
            </a>
          ) : (
            <button type="button" className="plain" onClick={() => void ask({ kind: 'own' })}>
              {say('overlay.own')}
            </button>
          )}
        </p>
      </form>
    </details>
  );
}
