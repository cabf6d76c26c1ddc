import type { Call } from '#console/api/link/call.ts';
import { CallProblem, isProblem } from '#console/api/link/problem.ts';
import { type AssistantAnswer, type AssistantCall, askAssistant } from './api.ts';
import * as text from './texts.ts';

export interface TalkTurn {
  readonly id: number;
  readonly question: string;
  /** Look-ups so far. */
  readonly calls: readonly AssistantCall[];
  /** Null: it is awaited, or the question failed. */
  readonly answer: AssistantAnswer | null;
  /** `draft`: rules have answered, and a model works on another answer. */
  readonly state: 'open' | 'draft' | 'ended' | 'canceled';
  readonly error: unknown;
}
const NOTHING_YET = { calls: [], answer: null, state: 'open', error: null } as const;

/** The turn after one message; messages of other kinds change nothing. */
const withMessage = (turn: TalkTurn, event: string, data: unknown): TalkTurn => {
  if (event === 'tool') return { ...turn, calls: [...turn.calls, data as AssistantCall] };
  if (event === 'error') {
    const { message } = data as { readonly message: string };
    return { ...turn, state: 'ended', error: new CallProblem(message) };
  }
  if (event !== 'draft' && event !== 'end') return turn;
  return { ...turn, answer: data as AssistantAnswer, state: event === 'end' ? 'ended' : 'draft' };
};

export interface TalkQuestion {
  /** Text that the user reads. */
  readonly words: string;
  /** Text that is sent; default: the words. */
  readonly message?: string;
  readonly currentCI?: string | null;
  readonly currentGroup?: string | null;
}

const brokenOff = (): CallProblem => new CallProblem(text.connectionEnded);

/** A conversation that survives changes of the page. */
export interface Talk {
  readonly turns: () => readonly TalkTurn[];
  readonly subscribe: (listener: () => void) => () => void;
  readonly isBusy: () => boolean;
  readonly ask: (asked: TalkQuestion) => Promise<void>;
  readonly again: () => Promise<void>;
  /** Ends the current question; a draft stays. */
  readonly cancel: () => void;
  readonly forget: () => void;
}

/** Messages on the page; the server stores as many of a conversation. */
const MAX_TURNS = 40;

export function openTalk(call: Call): Talk {
  let turns: readonly TalkTurn[] = [];
  let conversationId: string | null = null;
  let last: TalkQuestion | null = null;
  let next = 0;
  let running: AbortController | null = null;
  const listeners = new Set<() => void>();
  const put = (changed: readonly TalkTurn[]): void => {
    turns = changed.slice(-MAX_TURNS);
    for (const listener of listeners) listener();
  };
  const mend = (id: number, change: (turn: TalkTurn) => TalkTurn): void =>
    put(turns.map((turn) => (turn.id === id ? change(turn) : turn)));
  const end = (): void => {
    running?.abort();
    running = null;
  };

  const ask = async (asked: TalkQuestion): Promise<void> => {
    if (running !== null) return;
    const controller = new AbortController();
    const { signal } = controller;
    running = controller;
    next += 1;
    const id = next;
    last = asked;
    put([...turns, { id, question: asked.words, ...NOTHING_YET }]);
    const { message = asked.words, currentCI = null, currentGroup = null } = asked;
    const question = { message, conversationId, currentCI, currentGroup };
    try {
      await askAssistant(call, question, signal, (event, data) => {
        if (signal.aborted) return;
        if (event === 'end') conversationId = (data as AssistantAnswer).conversationId;
        mend(id, (turn) => withMessage(turn, event, data));
      });
      if (signal.aborted) return;
      running = null;
      mend(id, (turn) => (turn.state === 'ended' ? turn : { ...turn, state: 'ended', error: brokenOff() }));
    } catch (error) {
      if (signal.aborted) return;
      running = null;
      mend(id, (turn) => ({ ...turn, state: 'ended', error: isProblem(error) ? error : brokenOff() }));
    }
  };

  return {
    turns: () => turns,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isBusy: () => running !== null,
    ask,
    async again() {
      const asked = last;
      if (asked === null || running !== null) return;
      put(turns.slice(0, -1));
      await ask(asked);
    },
    cancel() {
      const id = next;
      if (running === null) return;
      end();
      mend(id, (turn) => ({ ...turn, state: 'canceled' }));
    },
    forget() {
      end();
      conversationId = null;
      last = null;
      put([]);
    },
  };
}
