import { useQueryClient } from '@tanstack/react-query';
import { say } from '#console/frame/toasts.tsx';

/** For dialogs: does something, says so, and reads anew what it has changed. What the server refuses is thrown, for the dialog to show. */
export const useDone = (changed: readonly unknown[]) => {
  const queries = useQueryClient();
  return async (work: () => Promise<unknown>, done: string | null): Promise<void> => {
    try {
      await work();
      if (done !== null) say({ text: done });
    } finally {
      void queries.invalidateQueries({ queryKey: changed });
    }
  };
};
