import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { brandScale, ownColor } from '#kernel/brand-scale.ts';
import { installBrand } from './brand.ts';

const tuple = (seed: string): MantineColorsTuple => brandScale(seed) as unknown as MantineColorsTuple;

const brandSteps = tuple(installBrand.color ?? ownColor);

/** State colours read as text on a soft ground; Mantine's own light variant fails contrast for yellow. */
const states = new Set(['ok', 'warn', 'bad', 'idle']);

const variantColorResolver: VariantColorsResolver = (input) => {
  const { color = 'brand', variant } = input;
  if (states.has(color) && variant === 'light') {
    return {
      background: `var(--hf-${color}-soft)`,
      hover: `var(--hf-${color}-soft)`,
      color: `var(--hf-${color}-text)`,
      border: '1px solid transparent',
    };
  }
  if (variant === 'subtle') {
    const ink = states.has(color) ? `var(--hf-${color}-text)` : 'var(--hf-dim)';
    return { background: 'transparent', hover: 'var(--hf-hover)', color: ink, border: '1px solid transparent' };
  }
  return defaultVariantColorsResolver(input);
};

/** Mantine's own variables, taken from the tokens, so that there is one source of colour. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--hf-bg)',
    '--mantine-color-text': 'var(--hf-text)',
    '--mantine-color-dimmed': 'var(--hf-dim)',
    '--mantine-color-placeholder': 'var(--hf-dim)',
    '--mantine-color-default': 'var(--hf-card)',
    '--mantine-color-default-hover': 'var(--hf-hover)',
    '--mantine-color-default-color': 'var(--hf-text)',
    '--mantine-color-default-border': 'var(--hf-input-line)',
    '--mantine-color-error': 'var(--hf-bad-text)',
    '--mantine-color-anchor': 'var(--hf-accent-text)',
    '--mantine-primary-color-filled': 'var(--hf-accent)',
    '--mantine-primary-color-filled-hover': 'var(--hf-accent-hover)',
    '--mantine-color-disabled': 'var(--hf-hover)',
    '--mantine-color-disabled-color': 'var(--hf-dim)',
    '--mantine-color-disabled-border': 'var(--hf-line)',
  };
  const variables = Object.fromEntries(brandSteps.map((color, step) => [`--hf-brand-${step}`, color]));
  return { variables, light: shared, dark: shared };
};

export const theme = createTheme({
  primaryColor: 'brand',
  // Shade 5 with white is 4.01:1; both schemes use 6.
  primaryShade: 6,
  colors: {
    brand: brandSteps,
    ok: tuple('#0ca678'),
    warn: tuple('#f59f00'),
    bad: tuple('#e5383b'),
    idle: tuple('#8e8e93'),
  },
  variantColorResolver,
  fontFamily: 'var(--hf-font)',
  fontFamilyMonospace: 'var(--hf-font-mono)',
  fontSizes: {
    xs: 'var(--hf-size-meta)',
    sm: 'var(--hf-size-body)',
    md: 'var(--hf-size-body)',
    lg: 'var(--hf-size-section)',
    xl: 'var(--hf-size-title)',
  },
  defaultRadius: 'var(--hf-radius-control)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontFamily: 'var(--hf-font)', fontWeight: '630' },
  // A hint above it would put a field out of line with one beside it that has none.
  components: { InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } } },
});
