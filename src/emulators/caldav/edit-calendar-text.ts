/** Edits a person would make in another client, done on the stored text. */

/** Gives the first VEVENT another title and counts up its SEQUENCE. */
export function retitle(text: string, title: string): string {
  return bumpSequence(replaceInFirstEvent(text, /^SUMMARY[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/m, `SUMMARY:${title}`));
}

/** Moves the first VEVENT by whole minutes of local time; dates without a time move by whole days of 1,440 minutes. */
export function moveStart(text: string, minutes: number): string {
  const moved = text.replace(firstEvent, (event) =>
    event.replace(/^(DTSTART|DTEND)([^:\r\n]*):(\d{8})(?:T(\d{6})(Z?))?/gm, (_, name, parameters, date, time, utc) => {
      if (time === undefined) {
        const day = Temporal.PlainDate.from(date).add({ days: Math.trunc(minutes / 1440) });
        return `${name}${parameters}:${day.toString().replaceAll('-', '')}`;
      }
      const at = Temporal.PlainDateTime.from(`${date}T${time}`).add({ minutes });
      return `${name}${parameters}:${at.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}${utc}`;
    }),
  );
  return bumpSequence(moved);
}

const firstEvent = /BEGIN:VEVENT[\s\S]*?END:VEVENT/;

function replaceInFirstEvent(text: string, pattern: RegExp, line: string): string {
  return text.replace(firstEvent, (event) =>
    pattern.test(event) ? event.replace(pattern, line) : event.replace('END:VEVENT', `${line}\r\nEND:VEVENT`),
  );
}

function bumpSequence(text: string): string {
  const sequence = Number(/^SEQUENCE:(\d+)/m.exec(text)?.[1] ?? 0);
  return replaceInFirstEvent(text, /^SEQUENCE:\d+/m, `SEQUENCE:${sequence + 1}`);
}
