import {
  type Dispatch,
  type FormEvent,
  type MouseEvent,
  type RefObject,
  type SetStateAction,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  addressIn,
  type Complaint,
  checkField,
  checkTyped,
  fieldsOf,
  listBrought,
  tick,
} from '../rules/check-typed.ts';
import { fillWords } from '../rules/fill-words.ts';
import type { BookingData, Complaints, Typed } from '../rules/visit-data.ts';
import { withDates, writeRepeated } from '../rules/write-booking.ts';
import { type SendAnswer, sendBooking } from './send-booking.ts';
import { tellParent } from './tell-height.ts';
import { useHold } from './use-hold.ts';
import { type Series, useSeries } from './use-series.ts';
import type { Visit } from './use-visit.ts';

/** The form as it is being filled in; what was typed outlives the time that it was typed for. */
export interface Filling {
  form: RefObject<HTMLFormElement | null>;
  typed: Typed;
  wrong: Complaints;
  /** About the whole. */
  trouble: string | null;
  /** Times near to the one that is gone. */
  taken: readonly number[] | null;
  /** The start that is gone: the chosen one, or another date of its series. */
  takenStart: number | null;
  /** Where it is to be several times. */
  series: Series;
  /** Why it cannot be had: it was free on this page and no longer is, it is not available, or it is past. */
  takenBy: 'just' | 'gone' | 'past';
  /** Why nothing can be booked here any more, whatever the time. */
  closed: string | null;
  /** The booking, as it is typed, first waits for a link in a mail. */
  asksMail: boolean;
  /** The guest has written something of their own: it is kept while they choose another time. */
  hasWritten: boolean;
  isSending: boolean;
  /** The browser calculates before it sends. */
  isWorking: boolean;
  wasSent: boolean;
  /** Script runs: the page itself says what is wrong. */
  isLive: boolean;
  /** Until when the time is kept, or that it no longer is. */
  held: number | 'over' | null;
  type(name: string, value: string): void;
  leave(name: string): void;
  submit(event: FormEvent<HTMLFormElement>): void;
  /** Tries again where nothing could be booked. */
  reopen(): void;
  chooseNear(event: MouseEvent, minute: number): void;
}

export function useFilling(data: BookingData, visit: Visit): Filling {
  const { place } = visit;
  const [typed, setTyped] = useState(data.typed);
  const [wrong, setWrong] = useState(data.complaints);
  const [trouble, setTrouble] = useState(data.complaints[''] ?? null);
  const [taken, setTaken] = useState(data.taken);
  const [takenStart, setTakenStart] = useState(data.takenStart);
  const [isOffered, setOffered] = useState(data.isOffered);
  const [isSending, setSending] = useState(false);
  const [isWorking, setWorking] = useState(false);
  const [wasSent, setSent] = useState(Object.keys(data.complaints).length > 0);
  const [closed, setClosed] = useState<string | null>(null);
  const sending = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  // The form is shown before its script has loaded. Later than here, a render would have replaced the typed texts.
  useLayoutEffect(() => setTyped((before) => ({ ...before, ...readChanged(form.current) })), []);
  useWays(typed, setTyped);
  const slot = place.slot;
  const settled = useRef((): Promise<string | null> => Promise.resolve(null));
  const series = useSeries(data, {
    slot,
    duration: place.duration,
    times: data.type.recurring === null ? 1 : Number(typed.times ?? 1),
    settled: () => settled.current(),
  });
  const whole = withDates(typed, series.dates);
  // a time that is not loaded yet is not reserved yet
  const isPast = slot !== null && slot < data.nowMinute;
  const hold = useHold(
    data,
    isPast ? null : slot,
    place.duration,
    series.dates === null ? {} : writeRepeated(data.type, whole),
  );
  settled.current = hold.settled;
  const wasFree = useRef(false);
  if (slot !== null && taken === null) wasFree.current = visit.isFree(slot);
  // Another time was chosen: what was said of the one before is over.
  const before = useRef(slot);
  useEffect(() => {
    if (before.current !== slot && slot !== null) {
      setTaken(null);
      setTakenStart(null);
      setTrouble(null);
      setClosed(null);
    }
    before.current = slot;
  }, [slot]);

  const { near, refused, why } = hold;
  const { reload } = series;
  useEffect(() => {
    if (near === null) return;
    setTaken(near);
    setTakenStart(refused);
    setOffered(why === 'taken');
    if (refused !== before.current) reload();
  }, [near, refused, why, reload]);
  useEffect(() => {
    if (hold.closed !== null) setClosed(hold.closed);
  }, [hold.closed]);

  const sayWrong = ({ key, values }: Complaint) => fillWords(data.words, key, values);
  const isMoving = data.moving !== null;
  const hasWritten = Object.entries(typed).some(([name, value]) => value !== '' && value !== data.carried[name]);

  const focusFirst = (fields: object) => {
    const first = fieldsOf(data.type).find((name) => name in fields);
    if (first) document.getElementById(first)?.focus();
    return first;
  };
  const settle = (answer: SendAnswer) => {
    switch (answer.kind) {
      case 'booked':
        if (data.embedded !== null) tellParent(data.embedded, { kind: 'booked', ...answer.told });
        // the form is over: going back leads to the times
        location.replace(answer.to);
        return;
      case 'taken':
        setTaken(answer.near);
        setTakenStart(answer.start);
        setOffered(answer.why === 'taken');
        visit.reload();
        series.reload();
        break;
      case 'closed':
        setClosed(answer.message);
        break;
      case 'wrong':
        setWrong(answer.fields);
        setTrouble(answer.message);
        focusFirst(answer.fields);
        break;
    }
    sending.current = false;
    setSending(false);
    setWorking(false);
  };

  return {
    form,
    typed,
    wrong: without(wrong, ''),
    trouble,
    taken,
    takenStart,
    series,
    takenBy: isPast ? 'past' : isOffered && wasFree.current ? 'just' : 'gone',
    closed,
    asksMail:
      !isMoving &&
      data.hasMail &&
      ((data.type.guestsAllowed > 0 && listBrought(typed).length > 0) ||
        (data.unconfirmed !== null && addressIn(typed.email ?? '').toLowerCase() === data.unconfirmed)),
    hasWritten,
    isSending,
    isWorking,
    wasSent,
    isLive: visit.isLive,
    held: trouble === null && closed === null ? hold.until : null,
    type(name, value) {
      const next = { ...typed, [name]: value };
      setTyped(next);
      // a corrected field loses its error at once
      if (wrong[name] !== undefined && checkField(data.type, name, next) === null) {
        setWrong((all) => without(all, name));
      }
    },
    leave(name) {
      const complaint = checkField(data.type, name, typed);
      // an empty field that is passed on the way shows no error
      if (complaint === null || (typed[name] ?? '').trim() === '') return;
      setWrong((all) => ({ ...all, [name]: sayWrong(complaint) }));
    },
    submit(event) {
      event.preventDefault();
      if (sending.current || slot === null) return;
      setSent(true);
      setTrouble(null);
      const complaints = isMoving ? {} : checkTyped(data.type, typed);
      setWrong(Object.fromEntries(Object.entries(complaints).map(([name, one]) => [name, sayWrong(one)])));
      if (focusFirst(complaints)) return;
      sending.current = true;
      setSending(true);
      const { duration } = place;
      const sent = { slot, duration, zone: visit.reading.zone, typed: whole };
      void hold
        .settled()
        .then((held) => sendBooking(data, { ...sent, hold: held }, () => setWorking(true)))
        .then(settle);
    },
    reopen: () => setClosed(null),
    chooseNear(event, minute) {
      event.preventDefault();
      setTaken(null);
      visit.go({ slot: minute });
    },
  };
}

function without(complaints: Complaints, name: string): Complaints {
  const { [name]: _, ...others } = complaints;
  return others;
}

/** The fields whose content is no longer that of the page. */
function readChanged(form: HTMLFormElement | null): Typed {
  const changed = [...(form?.elements ?? [])].flatMap((field): [string, string][] => {
    if (field instanceof HTMLSelectElement)
      return field.selectedOptions[0]?.defaultSelected === false ? [[field.name, field.value]] : [];
    if (field instanceof HTMLInputElement && field.type === 'checkbox')
      return field.checked === field.defaultChecked ? [] : [[field.name, field.checked ? tick : '']];
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
      return field.value === field.defaultValue ? [] : [[field.name, field.value]];
    return [];
  });
  return Object.fromEntries(changed);
}

const typedKey = 'hf-typed';

/**
 * The links to other languages lead to the place that is shown, whose page has what was typed. The server writes them, for
 * the address of the first place.
 */
export function useWays(typed: Typed, setTyped: Dispatch<SetStateAction<Typed>>): void {
  useLayoutEffect(() => {
    const [path, kept] = takeTyped();
    if (path === location.pathname) setTyped((before) => ({ ...before, ...kept }));
  }, [setTyped]);
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('.ways a');
      if (!link) return;
      const there = new URLSearchParams(location.search);
      there.set('lang', link.lang);
      link.search = there.toString();
      try {
        sessionStorage.setItem(typedKey, JSON.stringify([location.pathname, typed]));
      } catch {
        // a browser that stores nothing keeps the place alone
      }
    };
    addEventListener('click', follow);
    return () => removeEventListener('click', follow);
  }, [typed]);
}

function takeTyped(): [path: string, typed: Typed] | [] {
  try {
    const kept = sessionStorage.getItem(typedKey) ?? '[]';
    sessionStorage.removeItem(typedKey);
    return JSON.parse(kept) as [string, Typed];
  } catch {
    return [];
  }
}
