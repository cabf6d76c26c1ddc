import { useEffect } from 'react';
import type { Call } from '#console/api/link/call.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { readSettings, storeSettings } from '#console/api/me.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { type SettingsStore, usable } from '#console/settings/settings.ts';
import { openUnsent, type Unsent } from '#console/settings/unsent.ts';
import * as text from './texts.ts';
import { showError } from './toasts.tsx';

const SETTLED_MS = 800;

interface SyncParts {
  readonly call: Call;
  readonly settings: SettingsStore;
  readonly unsent: Unsent;
}

/** Returns what ends it. */
const sync = ({ call, settings, unsent }: SyncParts): (() => void) => {
  let kept = settings.get();
  /** The server's settings are unknown before the first read, and outdated local ones must not overwrite them. */
  let isRead = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (): void => {
    clearTimeout(timer);
    const now = settings.get();
    if (!isRead) return;
    if (JSON.stringify(now) === JSON.stringify(kept)) {
      unsent.forget();
      return;
    }
    kept = now;
    storeSettings(call, structuredClone(now) as Parameters<typeof storeSettings>[1]).then(
      () => settings.get() === now && unsent.forget(),
      (error: unknown) => {
        // The server answered: asking again at the next load would bring the same.
        if (isProblem(error) && error.status > 0) unsent.forget();
        showError(text.preferencesNotSaved, error);
      },
    );
  };
  const told = (): void => {
    unsent.add(kept, settings.get());
    clearTimeout(timer);
    timer = setTimeout(send, SETTLED_MS);
  };
  let isOver = false;
  const begin = (): void => {
    if (isOver) return;
    isRead = true;
    send();
  };
  readSettings(call)
    .then((found) => {
      if (isOver) return;
      kept = usable(found);
      settings.adopt({ ...kept, ...unsent.of(settings.get()) });
      begin();
    })
    .catch(begin);
  const end = settings.subscribe(told);
  // A page that is left or reloaded does not wait for a pause in changes.
  window.addEventListener('pagehide', send);
  return () => {
    isOver = true;
    clearTimeout(timer);
    window.removeEventListener('pagehide', send);
    end();
  };
};

/** Applies the server's settings of this user, and sends changes to it. */
export const useSettingsSync = (): void => {
  const { call, settings } = useAppServices();
  const { _id } = useMe().user;
  useEffect(() => sync({ call, settings, unsent: openUnsent(_id, localStorage) }), [call, settings, _id]);
};
