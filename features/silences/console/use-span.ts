import { useLocal } from '#console/hooks/use-local.ts';
import { useTimes } from '#console/hooks/use-times.ts';

/** Returns the text of a window, ms: `22 Nov 02:00–04:00`; with both days where they differ. */
export const useSpan = (): ((from: number, to: number) => string) => {
  const { dated } = useTimes();
  const { toLocal } = useLocal();
  return (from, to) => {
    const isOneDay = toLocal(from).slice(0, 10) === toLocal(to).slice(0, 10);
    return `${dated(from)}–${isOneDay ? toLocal(to).slice(11) : dated(to)}`;
  };
};
