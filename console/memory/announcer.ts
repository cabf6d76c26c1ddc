/** Announcements for people who do not see the page: polite, and not more often than they can listen. */
export interface Announcer {
  readonly text: () => string;
  readonly subscribe: (listener: () => void) => () => void;
  /** `topic`: what it is about; of each only the last text is said. */
  readonly announce: (topic: string, text: string) => void;
}

const EVERY_MS = 10_000;

/** The first is said at once; of those that follow within 10 s the last of each topic. */
export const openAnnouncer = (now: () => number): Announcer => {
  const listeners = new Set<() => void>();
  let said = '';
  let last = Number.NEGATIVE_INFINITY;
  const next = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (text: string): void => {
    // Equal texts are heard again only when they differ.
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
