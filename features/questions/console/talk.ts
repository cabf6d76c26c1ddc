import type { Call } from '#console/api/link/call.ts';
import { type AssistantAnswer, askAssistant } from './api.ts';

interface TalkTurn {
  readonly id: number;
  readonly question: string;
  /** Null: it is awaited, or the question failed. */
  readonly answer: AssistantAnswer | null;
  readonly error: unknown;
}

export interface TalkQuestion {
  /** Text that the user reads. */
  readonly words: string;
  /** Text that is sent; default: the words. */
  readonly message?: string;
  readonly currentCI?: string | null;
}

/** A conversation that survives changes of the page. */
export interface Talk {
  readonly turns: () => readonly TalkTurn[];
  readonly subscribe: (listener: () => void) => () => void;
  readonly isBusy: () => boolean;
  readonly ask: (asked: TalkQuestion) => Promise<void>;
  readonly again: () => Promise<void>;
  readonly forget: () => void;
}

/** Messages on the page; the server stores as many of a conversation. */
const MAX_TURNS = 40;

export function openTalk(call: Call): Talk {
  let turns: readonly TalkTurn[] = [];
  let conversationId: string | null = null;
  let last: TalkQuestion | null = null;
  let next = 0;
  let busy: number | null = null;
  const listeners = new Set<() => void>();
  const put = (changed: readonly TalkTurn[]): void => {
    turns = changed.slice(-MAX_TURNS);
    for (const listener of listeners) listener();
  };
  const mend = (id: number, change: Partial<TalkTurn>): void =>
    put(turns.map((turn) => (turn.id === id ? { ...turn, ...change } : turn)));

  const ask = async (asked: TalkQuestion): Promise<void> => {
    if (busy !== null) return;
    next += 1;
    const id = next;
    busy = id;
    last = asked;
    put([...turns, { id, question: asked.words, answer: null, error: null }]);
    try {
      const answer = await askAssistant(call, {
        message: asked.message ?? asked.words,
        conversationId,
        currentCI: asked.currentCI ?? null,
      });
      if (busy !== id) return;
      conversationId = answer.conversationId;
      busy = null;
      mend(id, { answer });
    } catch (error) {
      if (busy !== id) return;
      busy = null;
      mend(id, { error });
    }
  };

  return {
    turns: () => turns,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isBusy: () => busy !== null,
    ask,
    async again() {
      const asked = last;
      if (asked === null || busy !== null) return;
      put(turns.slice(0, -1));
      await ask(asked);
    },
    forget() {
      conversationId = null;
      last = null;
      busy = null;
      put([]);
    },
  };
}
