import type { Settings } from './settings.ts';

const PLACE = 'faultline-settings-unsent';

/** Settings that were changed here, and of which the server may not know yet: a load does not undo them. */
export interface Unsent {
  readonly add: (before: Settings, after: Settings) => void;
  /** Those among all settings. */
  readonly of: (settings: Settings) => Partial<Settings>;
  readonly forget: () => void;
}

type UnsentStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Unsent settings of one user: the next user of this computer does not inherit them. */
export function openUnsent(person: string, place: UnsentStorage): Unsent {
  const names = (): string[] => {
    const [owner, ...kept] = (place.getItem(PLACE) ?? '').split(' ');
    return owner === person ? kept : [];
  };
  return {
    add(before, after) {
      const changed = (Object.keys(after) as (keyof Settings)[]).filter(
        (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
      );
      if (changed.length > 0) place.setItem(PLACE, [person, ...new Set([...names(), ...changed])].join(' '));
    },
    of(settings) {
      const unsent = new Set(names());
      return Object.fromEntries(Object.entries(settings).filter(([name]) => unsent.has(name)));
    },
    forget: () => place.removeItem(PLACE),
  };
}
