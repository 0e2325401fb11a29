export interface Guest {
  email: string;
  name: string | null;
}

export interface ParsedAddresses {
  guests: Guest[];
  /** Text that is not an address; it stays in the field. */
  rest: string;
}

/** Mail addresses as HTML validates `type=email`. */
const address =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/**
 * Reads what people paste into a field of guests: addresses between commas, semicolons, blanks or line breaks, with
 * names as mail programs write them (`Ana Lima <ana@x.example>`, `"Smith, Jo" <jo@x.example>`, `mailto:` before it).
 */
export function parseAddresses(text: string): ParsedAddresses {
  const guests: Guest[] = [];
  const rest: string[] = [];
  for (const part of splitOutsideQuotes(text)) {
    const bracket = part.endsWith('>') ? part.lastIndexOf('<') : -1;
    if (bracket >= 0) {
      const email = bare(part.slice(bracket + 1, -1).trim());
      const name = part
        .slice(0, bracket)
        .trim()
        .replace(/^"(.*)"$/s, '$1')
        .replaceAll('\\"', '"')
        .trim();
      if (address.test(email)) guests.push({ email, name: name === '' || name === email ? null : name });
      else rest.push(part);
      continue;
    }
    // Without angle brackets a blank parts addresses too: "a@x.example b@x.example".
    const words = part.split(/\s+/).filter(Boolean);
    if (words.every((word) => address.test(bare(word)))) {
      guests.push(...words.map((word) => ({ email: bare(word), name: null })));
    } else {
      rest.push(part);
    }
  }
  return { guests, rest: rest.join(', ') };
}

/** Guests with further ones, nobody twice (an address is one whatever its case), a name that was missing filled in. */
export function addGuests(before: readonly Guest[], more: readonly Guest[], most: number): Guest[] {
  const byEmail = new Map(before.map((guest) => [guest.email.toLowerCase(), guest]));
  for (const guest of more) {
    const key = guest.email.toLowerCase();
    const known = byEmail.get(key);
    if (known === undefined && byEmail.size >= most) continue;
    byEmail.set(key, known === undefined ? guest : { ...known, name: known.name ?? guest.name });
  }
  return [...byEmail.values()];
}

const bare = (text: string) => text.trim().replace(/^mailto:/i, '');

function splitOutsideQuotes(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let quoted = false;
  let angled = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (!quoted && character === '<') angled = true;
    const ends = !quoted && !angled && /[,;\r\n\t]/.test(character);
    if (!quoted && character === '>') angled = false;
    if (ends || (quoted && /[\r\n]/.test(character))) {
      parts.push(part);
      part = '';
      quoted = false;
    } else part += character;
    // `Ana <ana@x.example> Bo <bo@x.example>`: a closed bracket ends its entry.
    if (!quoted && character === '>') {
      parts.push(part);
      part = '';
    }
  }
  parts.push(part);
  return parts.map((one) => one.trim()).filter(Boolean);
}
