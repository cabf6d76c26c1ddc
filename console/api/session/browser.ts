import type { Board, Channel, Locked } from './messages.ts';
import { linkedTenant, tenantHash } from './tenant.ts';

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

const NO_BOARD: Board = { show: async () => undefined, greatest: async () => 0 };

/** Names of locks that tabs hold beside each other: the one thing that all tabs see in the order in which it happened. */
export const openBoard = (root: string): Board => {
  if (!('locks' in navigator)) return NO_BOARD;
  const prefix = `faultline-grant ${root} `;
  let takeDown = (): void => undefined;
  const hold = (generation: number): Promise<void> =>
    new Promise((shown) => {
      const held = (): Promise<void> => {
        shown();
        return new Promise((resolve) => {
          takeDown = resolve;
        });
      };
      void navigator.locks.request(`${prefix}${generation}`, { mode: 'shared' }, held);
    });
  const replace = async (generation: number | null): Promise<void> => {
    const before = takeDown;
    if (generation !== null) await hold(generation);
    before();
  };
  let last = Promise.resolve();
  return {
    show(generation) {
      last = last.then(() => replace(generation));
      return last;
    },
    async greatest() {
      const { held = [] } = await navigator.locks.query();
      const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(prefix));
      return Math.max(0, ...names.map((name) => Number(name.slice(prefix.length))));
    },
  };
};

/** Adds the selected tenant to a pressed link of the console: the browser may open it in another tab. */
export const carryTenant = (pressed: EventTarget | null, tenant: string | null, root: string): void => {
  const link = pressed instanceof Element ? pressed.closest('a') : null;
  if (link === null || !link.href.startsWith(new URL('ui/', root).href)) return;
  if (link.hash === '' || linkedTenant(link.hash) !== null) link.hash = tenantHash(tenant);
};
