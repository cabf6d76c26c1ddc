/** The action of a key while its part of the page is there. */
export interface Shortcut {
  /** One combo, or two in a row: `a`, `Shift+x`, `g e`. */
  readonly keys: string;
  readonly words: string;
  /** Its target now: `3 groups`. */
  readonly of?: string | undefined;
  /** Heading in the help. */
  readonly section: 'List' | 'Actions' | 'Go to' | 'Everywhere';
  readonly run: () => void;
  /** False: shown in the help, and without effect now. */
  readonly isActive?: boolean;
}

export interface Registry {
  /** The newest registration of a key wins; returns the function that removes it. */
  readonly add: (shortcuts: readonly Shortcut[]) => () => void;
  /**
   * While this returns that something is open, letters are for it, though it may not have the focus yet; returns the
   * function that removes it.
   */
  readonly hold: (isOpen: () => boolean) => () => void;
  readonly isHeld: () => boolean;
  /**
   * Returns true if the key, or the pair that it begins or ends, acts wherever no field has the focus: everything
   * except actions on rows.
   */
  readonly isAnywhere: (combo: string) => boolean;
  /** Runs the action of the key; false when it has none. */
  readonly press: (combo: string, now: number) => boolean;
  /** Keys with a target now, the newest first. */
  readonly actions: () => readonly Shortcut[];
  /** Each key once, for the help. */
  readonly all: () => readonly Shortcut[];
}

/** Maximum delay of the second key of a pair, ms. */
const PAIR_MS = 1_200;

export function openRegistry(): Registry {
  const layers: (readonly Shortcut[])[] = [];
  const holds = new Set<() => boolean>();
  let first: { readonly combo: string; readonly at: number } | null = null;

  const found = (keys: string): Shortcut | undefined => {
    for (const layer of layers.toReversed()) {
      const shortcut = layer.find((one) => one.keys === keys && one.isActive !== false);
      if (shortcut !== undefined) return shortcut;
    }
    return undefined;
  };
  const begins = (combo: string): boolean =>
    layers.some((layer) => layer.some(({ keys }) => keys.startsWith(`${combo} `)));

  return {
    add(shortcuts) {
      layers.push(shortcuts);
      return () => {
        const at = layers.indexOf(shortcuts);
        if (at >= 0) layers.splice(at, 1);
      };
    },
    hold(isOpen) {
      holds.add(isOpen);
      return () => holds.delete(isOpen);
    },
    isAnywhere(combo) {
      if (first !== null || begins(combo)) return true;
      const shortcut = found(combo);
      return shortcut !== undefined && shortcut.section !== 'Actions';
    },
    isHeld: () => [...holds].some((isOpen) => isOpen()),
    press(combo, now) {
      const before = first !== null && now - first.at <= PAIR_MS ? first.combo : null;
      first = null;
      const shortcut = (before === null ? undefined : found(`${before} ${combo}`)) ?? found(combo);
      if (shortcut !== undefined) {
        shortcut.run();
        return true;
      }
      if (!begins(combo)) return false;
      first = { combo, at: now };
      return true;
    },
    actions() {
      const byKeys = new Map<string, Shortcut>();
      for (const layer of layers)
        for (const shortcut of layer) if (shortcut.isActive !== false) byKeys.set(shortcut.keys, shortcut);
      return [...byKeys.values()].filter(({ section }) => section === 'Actions');
    },
    all() {
      const byKeys = new Map<string, Shortcut>();
      for (const layer of layers) for (const shortcut of layer) byKeys.set(shortcut.keys, shortcut);
      return [...byKeys.values()];
    },
  };
}
