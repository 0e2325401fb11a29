import { useReading } from '../reading.tsx';

/** About eight lines on a phone. */
const longest = 320;
const excerpt = 160;

/** A text that somebody wrote. A long one is folded, so that it doesn't push the rest of the page away. */
export function LongText({ text }: { text: string }) {
  const { say } = useReading();
  if (text.length <= longest && text.split('\n').length <= 8) return text;
  const start = [...text.split('\n').slice(0, 3).join('\n')].slice(0, excerpt).join('').trimEnd();
  return (
    <details className="long">
      <summary>
        <span>{start}… </span>
        <u>{say('booked.more')}</u>
      </summary>
      {text}
    </details>
  );
}
