/** What a person has chosen; the same on every computer once it is kept by the server. */
export interface Settings {
  readonly theme: 'auto' | 'light' | 'dark' | 'contrast';
  readonly density: 'comfortable' | 'compact';
  /** A name of the IANA list, or `browser`. */
  readonly zone: string;
  /** Shortcuts of one letter can be switched off (WCAG 2.1.4). */
  readonly letters: boolean;
  /** One short sound for each new critical group. */
  readonly sound: boolean;
}

export const DEFAULTS: Settings = {
  theme: 'auto',
  density: 'comfortable',
  zone: 'browser',
  letters: true,
  sound: false,
};

const isZone = (zone: unknown): zone is string => {
  if (zone === 'browser') return true;
  if (typeof zone !== 'string') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};
const oneOf = <T>(value: unknown, all: readonly T[], otherwise: T): T =>
  all.includes(value as T) ? (value as T) : otherwise;

/** What can be used of what was kept; the rest is the default. */
export const readSettings = (kept: unknown): Settings => {
  const { theme, density, zone, letters, sound } = (kept ?? {}) as Readonly<Record<string, unknown>>;
  return {
    theme: oneOf(theme, ['auto', 'light', 'dark', 'contrast'], DEFAULTS.theme),
    density: oneOf(density, ['comfortable', 'compact'], DEFAULTS.density),
    zone: isZone(zone) ? zone : DEFAULTS.zone,
    letters: oneOf(letters, [true, false], DEFAULTS.letters),
    sound: oneOf(sound, [true, false], DEFAULTS.sound),
  };
};

export interface SettingsStore {
  readonly get: () => Settings;
  readonly subscribe: (listener: () => void) => () => void;
  readonly change: (change: Partial<Settings>) => void;
  /** Takes over what the server keeps, without telling it. */
  readonly adopt: (kept: unknown) => void;
}

interface Given {
  /** Of this computer: what the first paint needs. */
  readonly read: () => string | null;
  readonly write: (text: string) => void;
}

const parsed = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
};

export function openSettings({ read, write }: Given): SettingsStore {
  const listeners = new Set<() => void>();
  let settings = readSettings(parsed(read()));
  const become = (next: Settings): void => {
    settings = next;
    write(JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  return {
    get: () => settings,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: (change) => become({ ...settings, ...change }),
    adopt: (kept) => become(readSettings({ ...settings, ...(kept as object) })),
  };
}
