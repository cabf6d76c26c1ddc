import type { Channel, Locked } from './messages.ts';

/** The `BroadcastChannel` of this console; others at the same origin have other roots. */
export const openChannel = <M>(name: string): Channel<M> => {
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    listen(listener) {
      const heard = ({ data }: MessageEvent<M>): void => listener(data);
      channel.addEventListener('message', heard);
      return () => channel.removeEventListener('message', heard);
    },
  };
};

/** Web Locks, which need https or localhost; elsewhere each tab works for itself. */
export const lockedAt =
  (root: string): Locked =>
  (name, work) =>
    'locks' in navigator ? (navigator.locks.request(`${name} ${root}`, work) as never) : work();
