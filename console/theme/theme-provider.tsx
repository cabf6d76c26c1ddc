import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  MantineProvider,
  type MantineThemeOverride,
  type VariantColorsResolver,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useMemo } from 'react';
import { useSettings } from '#console/hooks/use-settings.ts';
import * as shared from '#console/text/texts.ts';
import { COLOURS, type Colour, SPACE, type ThemeName, TYPE, variablesOf } from './tokens.ts';

const rem = (px: number): string => `${px / 16}rem`;
const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Open Sans", sans-serif';
const MONO = 'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace';

const tuple = (names: readonly Colour[], theme: ThemeName): MantineColorsTuple => {
  const shade = (at: number): string => COLOURS[theme][names[Math.min(at, names.length - 1)] as Colour];
  return [shade(0), shade(1), shade(2), shade(3), shade(4), shade(5), shade(6), shade(7), shade(8), shade(9)];
};

/** The kit mixes colors of its own; here a filled button is the accent, in any theme. */
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

const kitTheme = (theme: ThemeName): MantineThemeOverride =>
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
      MultiSelect: { defaultProps: { size: 'xs', comboboxProps: { shadow: 'md' } } },
      TagsInput: { defaultProps: { size: 'xs' } },
      NumberInput: { defaultProps: { size: 'xs' } },
      Checkbox: {
        defaultProps: { size: 'xs' },
        vars: () => ({ root: { '--checkbox-icon-color': 'var(--fl-onAccent)' } }),
      },
      Chip: { vars: () => ({ root: { '--chip-color': 'var(--fl-onAccent)' } }) },
      Switch: { defaultProps: { size: 'xs' } },
      Tooltip: { defaultProps: { openDelay: 400, withArrow: false } },
      Modal: {
        defaultProps: { centered: false, overlayProps: { backgroundOpacity: 0.35 }, yOffset: '12dvh' },
        styles: { title: { fontSize: 'var(--fl-type-head)', fontWeight: 600 } },
      },
      // Label of dialogs, drawers and toasts.
      CloseButton: { defaultProps: { 'aria-label': shared.close } },
      Menu: { defaultProps: { shadow: 'md', position: 'bottom-start' } },
    },
  });

/** Our tokens, and the kit's colors for text and backgrounds derived from them. */
const kitVariables = (theme: ThemeName): CSSVariablesResolver => {
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

/** The page carries a nonce that is new per load; styles that the kit makes at run time need it. */
const styleNonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

const useThemeName = (asked: ThemeName | null): ThemeName => {
  const { theme } = useSettings();
  const prefersDark = useMediaQuery('(prefers-color-scheme: dark)', undefined, { getInitialValueInEffect: false });
  const prefersMore = useMediaQuery('(prefers-contrast: more)', undefined, { getInitialValueInEffect: false });
  if (asked !== null) return asked;
  if (theme !== 'system') return theme;
  if (prefersMore) return 'contrast';
  return prefersDark ? 'dark' : 'light';
};

interface Props {
  /** Theme of the address, regardless of the settings of the user or the system. */
  readonly asked: ThemeName | null;
  readonly children: ReactNode;
}

export function ThemeProvider({ asked, children }: Props) {
  const name = useThemeName(asked);
  const theme = useMemo(() => kitTheme(name), [name]);
  const variables = useMemo(() => kitVariables(name), [name]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      forceColorScheme={name === 'light' ? 'light' : 'dark'}
      getStyleNonce={styleNonce}
      deduplicateCssVariables={false}
    >
      {children}
    </MantineProvider>
  );
}
