import { useSyncExternalStore } from 'react';
import type { Settings } from '#console/settings/settings.ts';
import { useParts } from './parts.ts';

export const useSettings = (): Settings => {
  const { settings } = useParts();
  return useSyncExternalStore(settings.subscribe, settings.get);
};
