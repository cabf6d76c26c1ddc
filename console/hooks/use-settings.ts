import { useSyncExternalStore } from 'react';
import type { Settings } from '#console/settings/settings.ts';
import { useAppServices } from './app-services.ts';

export const useSettings = (): Settings => {
  const { settings } = useAppServices();
  return useSyncExternalStore(settings.subscribe, settings.get);
};
