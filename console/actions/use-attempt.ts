import { useQueryClient } from '@tanstack/react-query';
import { showError, showToast } from '#console/frame/toasts.tsx';

/** Runs an action, shows its outcome, and refetches the changed data. */
export const useAttempt = (changed: readonly unknown[]) => {
  const queries = useQueryClient();
  return async (work: () => Promise<unknown>, words: { readonly done: string; readonly failed: string }) => {
    try {
      await work();
      showToast({ text: words.done });
    } catch (error) {
      showError(words.failed, error);
    }
    await queries.invalidateQueries({ queryKey: changed });
  };
};
