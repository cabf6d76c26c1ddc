import { MantineProvider } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useMemo } from 'react';
import { useSettings } from '#console/hooks/use-settings.ts';
import { kitTheme, kitVariables } from './kit-theme.ts';
import type { ThemeName } from './tokens.ts';

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
  /** By the address, whatever the person or the system wants. */
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
