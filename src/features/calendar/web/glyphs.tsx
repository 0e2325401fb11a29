/** The three marks an event card can carry, 12 px, in the colour of their text; what they mean is spoken beside them. */
const paths = {
  conflict: 'M6 1.2 11.4 10.6a.6.6 0 0 1-.5.9H1.1a.6.6 0 0 1-.5-.9L6 1.2ZM6 4.6v3M6 9.3v.2',
  link: 'M5 7a2 2 0 0 0 2.9 0l2-2A2 2 0 0 0 7 2.1l-.7.7M7 5a2 2 0 0 0-2.9 0l-2 2A2 2 0 0 0 5 9.9l.7-.7',
  lock: 'M3 5.5h6v4.7H3zM4.3 5.5V4a1.7 1.7 0 0 1 3.4 0v1.5',
} as const;

export type GlyphName = keyof typeof paths;

export function Glyph({ name }: { name: GlyphName }) {
  return (
    <svg data-glyph={name} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
