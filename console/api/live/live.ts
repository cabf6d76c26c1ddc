import type { Channel } from '#console/api/session/messages.ts';
import type { StreamTopic, TopicChange, TopicChanges } from './changes.ts';
import { type LiveState, NEVER } from './reader.ts';

/** Messages of the reading tab to the others. */
export type LiveMessageData =
  | { readonly kind: 'state'; readonly state: LiveState }
  | { readonly kind: 'changes'; readonly changes: TopicChanges }
  | { readonly kind: 'asked' };

export interface Live {
  readonly state: () => LiveState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Notifies of each change of a topic, regardless of the tab that reads the stream. */
  readonly on: (topic: StreamTopic, listener: (changed: TopicChange) => void) => () => void;
  readonly close: () => void;
}

interface LiveParts {
  readonly channel: Channel<LiveMessageData>;
  /** Runs `work` when it is the turn of this tab to read for all, until the signal that ends it. */
  readonly lead: (work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) => Promise<void>;
  readonly read: (
    show: (state: LiveState) => void,
    tell: (changes: TopicChanges) => void,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** One stream per browser: the tab whose turn it is reads, the others listen to it. */
export function openLive({ channel, lead, read }: LiveParts): Live {
  const end = new AbortController();
  const stateListeners = new Set<() => void>();
  const listeners = new Map<StreamTopic, Set<(changed: TopicChange) => void>>();
  let state: LiveState = NEVER;
  let isLeader = false;

  const show = (next: LiveState): void => {
    state = next;
    for (const listener of stateListeners) listener();
  };
  const tell = (changes: TopicChanges): void => {
    for (const [topic, changed] of changes) for (const listener of listeners.get(topic) ?? []) listener(changed);
  };

  const stopListening = channel.listen((message) => {
    if (message.kind === 'asked') {
      if (isLeader) channel.post({ kind: 'state', state });
    } else if (!isLeader) {
      if (message.kind === 'state') show(message.state);
      else tell(message.changes);
    }
  });
  channel.post({ kind: 'asked' });

  void lead(async (signal) => {
    isLeader = true;
    await read(
      (next) => {
        show(next);
        channel.post({ kind: 'state', state: next });
      },
      (changes) => {
        tell(changes);
        channel.post({ kind: 'changes', changes });
      },
      signal,
    );
    isLeader = false;
  }, end.signal).catch(() => undefined);

  return {
    state: () => state,
    subscribe(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    on(topic, listener) {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return () => all.delete(listener);
    },
    close() {
      end.abort();
      stopListening();
      stateListeners.clear();
      listeners.clear();
    },
  };
}
