import styles from './glyphs.module.css';

export type GlyphName = 'broken' | 'link' | 'lock';

/**
 * The marks that an event can carry, 12 px, in the colour of their text; what they mean is spoken beside them.
 * One element each, drawn by the style sheet: a full week has hundreds.
 */
export function Glyph({ name }: { name: GlyphName }) {
  return <i className={styles.glyph} data-glyph={name} aria-hidden="true" />;
}
