import { useQueryClient } from '@tanstack/react-query';
import { say, sayFailure } from '#console/frame/toasts.tsx';

/** Does something, says what became of it, and reads anew what it has changed. */
export const useAttempt = (changed: readonly unknown[]) => {
  const queries = useQueryClient();
  return async (work: () => Promise<unknown>, words: { readonly done: string; readonly failed: string }) => {
    try {
      await work();
      say({ text: words.done });
    } catch (error) {
      sayFailure(words.failed, error);
    }
    await queries.invalidateQueries({ queryKey: changed });
  };
};
