import { MantineProvider } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useMemo } from 'react';
import { useSettings } from '#console/hooks/use-settings.ts';
import { kitTheme, kitVariables } from './kit-theme.ts';
import type { ThemeName } from './tokens.ts';

/** The page carries a nonce that is new per load; styles that the kit makes at run time need it. */
const styleNonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

const useThemeName = (): ThemeName => {
  const { theme } = useSettings();
  const prefersDark = useMediaQuery('(prefers-color-scheme: dark)', undefined, { getInitialValueInEffect: false });
  const prefersMore = useMediaQuery('(prefers-contrast: more)', undefined, { getInitialValueInEffect: false });
  if (theme !== 'system') return theme;
  if (prefersMore) return 'contrast';
  return prefersDark ? 'dark' : 'light';
};

export function ThemeProvider({ children }: { readonly children: ReactNode }) {
  const name = useThemeName();
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
