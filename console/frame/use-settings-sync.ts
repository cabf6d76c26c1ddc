import { useEffect } from 'react';
import type { Call } from '#console/api/link/call.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { keepSettings, readSettings } from '#console/api/me.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { type SettingsStore, usable } from '#console/settings/settings.ts';
import { openUnsent, type Unsent } from '#console/settings/unsent.ts';
import { sayFailure } from './toasts.tsx';

const SETTLED_MS = 800;

interface Given {
  readonly call: Call;
  readonly settings: SettingsStore;
  readonly unsent: Unsent;
}

/** Returns what ends it. */
const sync = ({ call, settings, unsent }: Given): (() => void) => {
  let kept = settings.get();
  /** Before, it is not known what the server has, which must not be overwritten with what another computer has not seen. */
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
    keepSettings(call, structuredClone(now) as Parameters<typeof keepSettings>[1]).then(
      () => settings.get() === now && unsent.forget(),
      (error: unknown) => {
        // The server answered: asking again at the next load would bring the same.
        if (isProblem(error) && error.status > 0) unsent.forget();
        sayFailure('The settings could not be kept', error);
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
  // A page that is left or loaded anew does not wait until nothing changes.
  window.addEventListener('pagehide', send);
  return () => {
    isOver = true;
    clearTimeout(timer);
    window.removeEventListener('pagehide', send);
    end();
  };
};

/** Takes over what the server keeps for this person, and tells it what they change. */
export const useSettingsSync = (): void => {
  const { call, settings } = useParts();
  const { _id } = useMe().user;
  useEffect(() => sync({ call, settings, unsent: openUnsent(_id, localStorage) }), [call, settings, _id]);
};
