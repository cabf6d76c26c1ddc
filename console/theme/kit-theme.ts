import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
  type VariantColorsResolver,
} from '@mantine/core';
import { COLOURS, type Colour, SPACE, type ThemeName, TYPE, variablesOf } from './tokens.ts';

const rem = (px: number): string => `${px / 16}rem`;
const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Open Sans", sans-serif';
const MONO = 'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace';

const tuple = (names: readonly Colour[], theme: ThemeName): MantineColorsTuple => {
  const shade = (at: number): string => COLOURS[theme][names[Math.min(at, names.length - 1)] as Colour];
  return [shade(0), shade(1), shade(2), shade(3), shade(4), shade(5), shade(6), shade(7), shade(8), shade(9)];
};

/** The kit mixes colours of its own; here a filled button is the accent, whatever the theme. */
const variants: VariantColorsResolver = (input) => {
  const own = defaultVariantColorsResolver(input);
  const isAccent = input.color === undefined || input.color === 'accent';
  if (input.variant === 'filled' && isAccent)
    return { ...own, background: 'var(--fl-accent)', hover: 'var(--fl-accent)', color: 'var(--fl-onAccent)' };
  if (input.variant === 'light' && isAccent)
    return { ...own, background: 'var(--fl-selected)', hover: 'var(--fl-selected)', color: 'var(--fl-accent)' };
  if (input.variant === 'subtle' && isAccent)
    return { ...own, background: 'transparent', hover: 'var(--fl-hover)', color: 'var(--fl-accent)' };
  if (input.variant === 'subtle' && input.color === 'gray')
    return { ...own, background: 'transparent', hover: 'var(--fl-hover)', color: 'var(--fl-text)' };
  return own;
};

export const kitTheme = (theme: ThemeName): MantineThemeOverride =>
  createTheme({
    fontFamily: FONT,
    fontFamilyMonospace: MONO,
    fontSizes: { xs: rem(TYPE.note), sm: rem(TYPE.scan), md: rem(TYPE.read), lg: rem(TYPE.head), xl: rem(TYPE.page) },
    lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.4', xl: '1.3' },
    spacing: { xs: rem(SPACE[2]), sm: rem(SPACE[3]), md: rem(SPACE[4]), lg: rem(SPACE[5]), xl: rem(SPACE[6]) },
    headings: {
      fontFamily: FONT,
      fontWeight: '600',
      sizes: {
        h1: { fontSize: rem(TYPE.page), lineHeight: '1.3' },
        h2: { fontSize: rem(TYPE.head), lineHeight: '1.35' },
        h3: { fontSize: rem(TYPE.read), lineHeight: '1.4' },
      },
    },
    defaultRadius: 'sm',
    respectReducedMotion: true,
    primaryColor: 'accent',
    primaryShade: 6,
    colors: {
      accent: tuple(['accent'], theme),
      blue: tuple(['accent'], theme),
      red: tuple(['critical'], theme),
      green: tuple(['good'], theme),
      yellow: tuple(['caution'], theme),
      gray: tuple(['ground', 'hover', 'sunken', 'line', 'edge', 'edge', 'dim', 'dim', 'text', 'text'], theme),
      dark: tuple(['text', 'text', 'dim', 'edge', 'edge', 'hover', 'raised', 'panel', 'ground', 'sunken'], theme),
    },
    variantColorResolver: variants,
    components: {
      Button: { defaultProps: { size: 'xs' } },
      ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
      TextInput: { defaultProps: { size: 'xs' } },
      PasswordInput: { defaultProps: { size: 'xs' } },
      Textarea: { defaultProps: { size: 'xs' } },
      Select: { defaultProps: { size: 'xs', comboboxProps: { shadow: 'md' } } },
      Checkbox: {
        defaultProps: { size: 'xs' },
        vars: () => ({ root: { '--checkbox-icon-color': 'var(--fl-onAccent)' } }),
      },
      Switch: { defaultProps: { size: 'xs' } },
      Tooltip: { defaultProps: { openDelay: 400, withArrow: false } },
      Modal: { defaultProps: { centered: false, overlayProps: { backgroundOpacity: 0.35 }, yOffset: '12dvh' } },
      // Of dialogs, drawers and toasts.
      CloseButton: { defaultProps: { 'aria-label': 'Close' } },
      Menu: { defaultProps: { shadow: 'md', position: 'bottom-start' } },
    },
  });

/** Our tokens, and the kit's colours for text and grounds drawn from them. */
export const kitVariables = (theme: ThemeName): CSSVariablesResolver => {
  const own = {
    ...variablesOf(theme),
    '--mantine-color-body': 'var(--fl-panel)',
    '--mantine-color-text': 'var(--fl-text)',
    '--mantine-color-dimmed': 'var(--fl-dim)',
    '--mantine-color-placeholder': 'var(--fl-dim)',
    '--mantine-color-anchor': 'var(--fl-accent)',
    '--mantine-color-error': 'var(--fl-critical)',
    '--mantine-color-default': 'var(--fl-panel)',
    '--mantine-color-default-hover': 'var(--fl-hover)',
    '--mantine-color-default-color': 'var(--fl-text)',
    '--mantine-color-default-border': 'var(--fl-edge)',
    '--mantine-color-disabled': 'var(--fl-sunken)',
    '--mantine-color-disabled-color': 'var(--fl-dim)',
    '--mantine-color-disabled-border': 'var(--fl-line)',
  };
  return () => ({ variables: {}, light: own, dark: own });
};
