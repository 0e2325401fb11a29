/** An address for a simulated account of this person: `dana@gmail.example`, with a number where it is taken. */
export function addressFor(name: string, domain: string, isTaken: (address: string) => boolean): string {
  const local = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/@.*/s, '')
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.|\.$/g, '')
    .slice(0, 40);
  for (let n = 1; ; n += 1) {
    const address = `${local === '' ? 'you' : local}${n === 1 ? '' : `.${n}`}@${domain}`;
    if (!isTaken(address)) return address;
  }
}
