import { useQueryClient } from '@tanstack/react-query';
import { showToast } from '#console/frame/toasts.tsx';

/**
 * Runs an action for a dialog, confirms it, and refetches the changed data. Refusals of the server are thrown, for the
 * dialog to show.
 */
export const useDone = (changed: readonly unknown[]) => {
  const queries = useQueryClient();
  return async (work: () => Promise<unknown>, done: string | null): Promise<void> => {
    try {
      await work();
      if (done !== null) showToast({ text: done });
    } finally {
      void queries.invalidateQueries({ queryKey: changed });
    }
  };
};
