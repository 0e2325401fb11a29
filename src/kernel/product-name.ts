/** Name of the product in texts; the operator may choose another. */
export const ownName = 'Holdfast';

/** The same words with the operator's name in them. */
export function callIt<Words>(words: Words, name: string): Words {
  if (name === ownName) return words;
  const inside = JSON.stringify(name).slice(1, -1);
  return JSON.parse(JSON.stringify(words).replaceAll(ownName, () => inside)) as Words;
}
