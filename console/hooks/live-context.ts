import { createContext, useContext } from 'react';
import type { Live } from '#console/api/live/live.ts';

export const LiveContext = createContext<Live | null>(null);

export const useLiveStream = (): Live => {
  const live = useContext(LiveContext);
  if (live === null) throw new Error('a component outside <LiveProvider>');
  return live;
};
