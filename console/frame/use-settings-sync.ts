import { useEffect } from 'react';
import { keepSettings, readSettings } from '#console/api/me.ts';
import { useParts } from '#console/hooks/parts.ts';
import { sayFailure } from './toasts.tsx';

const SETTLED_MS = 800;

/** Takes over what the server keeps for this person, and tells it what they change. */
export const useSettingsSync = (): void => {
  const { call, settings } = useParts();
  useEffect(() => {
    let kept = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const told = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const text = JSON.stringify(settings.get());
        if (text === kept) return;
        kept = text;
        keepSettings(call, JSON.parse(text)).catch((error: unknown) =>
          sayFailure('The settings could not be kept', error),
        );
      }, SETTLED_MS);
    };
    readSettings(call)
      .then((found) => {
        if (isOver) return;
        settings.adopt(found);
        kept = JSON.stringify(settings.get());
      })
      .catch(() => undefined);
    const end = settings.subscribe(told);
    return () => {
      isOver = true;
      clearTimeout(timer);
      end();
    };
  }, [call, settings]);
};
