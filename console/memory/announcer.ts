/** Announcements for screen readers: polite, and with a maximum rate. */
export interface Announcer {
  readonly text: () => string;
  readonly subscribe: (listener: () => void) => () => void;
  /** `topic`: its subject; only the last text of each is announced. */
  readonly announce: (topic: string, text: string) => void;
}

const EVERY_MS = 10_000;

/** Announces the first at once; of later texts within 10 s the last of each topic. */
export const openAnnouncer = (now: () => number): Announcer => {
  const listeners = new Set<() => void>();
  let said = '';
  let last = Number.NEGATIVE_INFINITY;
  const next = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (text: string): void => {
    // Equal texts are announced again only when they differ.
    said = text === said ? `${text}\u00a0` : text;
    last = now();
    for (const listener of listeners) listener();
  };
  const go = (): void => {
    timer = undefined;
    say([...next.values()].join('. '));
    next.clear();
  };
  return {
    text: () => said,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce(topic, text) {
      const wait = last + EVERY_MS - now();
      if (wait <= 0 && timer === undefined) return say(text);
      next.set(topic, text);
      timer ??= setTimeout(go, wait);
      return undefined;
    },
  };
};
