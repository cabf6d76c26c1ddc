import { useEffect, useEffectEvent } from 'react';
import type { Shortcut } from '#console/keys/registry.ts';
import { useAppServices } from './app-services.ts';

/** Adds shortcuts while the component is there. Letters act only inside an element with `data-keys`. */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  const { registry } = useAppServices();
  const run = useEffectEvent((keys: string) => shortcuts.find((one) => one.keys === keys)?.run());
  const described = shortcuts.map(({ keys, words, of, section, isActive }) => ({
    keys,
    words,
    of,
    section,
    isActive: isActive ?? true,
  }));
  const stable = JSON.stringify(described);

  useEffect(() => {
    const layer = (JSON.parse(stable) as typeof described).map((one) => ({ ...one, run: () => run(one.keys) }));
    return registry.add(layer);
  }, [registry, stable]);
};
