import { type ConsoleSettings, DENSITIES, NO_SETTINGS, THEMES } from '#domain/access/console.ts';
import { isZone } from '#domain/texts/time-zone.ts';

/** Settings of a user; the same on every computer, as the server stores them. */
export type Settings = ConsoleSettings;

const oneOf = <T>(value: unknown, all: readonly T[], otherwise: T): T =>
  all.includes(value as T) ? (value as T) : otherwise;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The usable part of stored settings; the rest is the default. */
export const usable = (kept: unknown): Settings => {
  const { theme, density, zone, shortcuts, sound, columns, views, hints } = isRecord(kept) ? kept : {};
  return {
    theme: oneOf(theme, THEMES, NO_SETTINGS.theme),
    density: oneOf(density, DENSITIES, NO_SETTINGS.density),
    zone: typeof zone === 'string' && isZone(zone) ? zone : null,
    shortcuts: oneOf(shortcuts, [true, false], NO_SETTINGS.shortcuts),
    sound: oneOf(sound, [true, false], NO_SETTINGS.sound),
    columns: isRecord(columns) ? (columns as Settings['columns']) : {},
    views: isRecord(views)
      ? (Object.fromEntries(Object.entries(views).filter(([, id]) => typeof id === 'string')) as Settings['views'])
      : {},
    hints: Array.isArray(hints) ? hints.filter((hint): hint is string => typeof hint === 'string') : [],
  };
};

export interface SettingsStore {
  readonly get: () => Settings;
  readonly subscribe: (listener: () => void) => () => void;
  readonly change: (change: Partial<Settings>) => void;
  /** Applies the server's settings, without sending them back. */
  readonly adopt: (kept: unknown) => void;
}

interface SettingsStorage {
  /** Reads from this computer, for the first paint. */
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

export function openSettings({ read, write }: SettingsStorage): SettingsStore {
  const listeners = new Set<() => void>();
  let settings = usable(parsed(read()));
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
    adopt: (kept) => become(usable(kept)),
  };
}
