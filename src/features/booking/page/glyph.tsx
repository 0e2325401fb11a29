/** Line drawings in the text's colour; they say nothing that is not also said in words. */
const paths = {
  clock: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  phone: 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2',
  video:
    'M15 10l4.6-2.3A1 1 0 0 1 21 8.6v6.8a1 1 0 0 1-1.4.9L15 14zM3 8a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z',
  place: 'M12 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6M17.7 15.7L12 21l-5.7-5.3a8 8 0 1 1 11.4 0',
  people:
    'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M3 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2M16 3.1a4 4 0 0 1 0 7.8M21 21v-2a4 4 0 0 0-3-3.9',
  globe: 'M3 12a9 9 0 1 0 18 0 9 9 0 0 0-18 0M3.6 9h16.8M3.6 15h16.8M11.5 3a17 17 0 0 0 0 18M12.5 3a17 17 0 0 1 0 18',
  back: 'M5 12h14M5 12l6 6M5 12l6-6',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  check: 'M5 12l5 5L20 7',
  warn: 'M12 9v4M12 16v.01M5 19h14a2 2 0 0 0 1.8-2.8L13.8 4a2 2 0 0 0-3.6 0L3.2 16.2A2 2 0 0 0 5 19',
  cross: 'M18 6L6 18M6 6l12 12',
  calendar: 'M4 7a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM16 3v4M8 3v4M4 11h16',
} as const;

export type GlyphName = keyof typeof paths;

/** Back and on, which turn with the line. */
const turning: readonly GlyphName[] = ['back', 'left', 'right'];

export function Glyph({ name }: { name: GlyphName }) {
  return (
    <svg className={turning.includes(name) ? 'glyph turning' : 'glyph'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
