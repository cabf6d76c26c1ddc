import { CallProblem } from '#console/api/link/problem.ts';
import { EVERYTHING, type TopicChanges } from './changes.ts';
import type { Ended, StreamNews } from './stream.ts';
import * as text from './texts.ts';

/** Reliability of the shown data. */
export interface LiveState {
  /**
   * `stale`: the stream is lost, `polling`: it never started, and everything is read again every 10 s; `off`: it is not
   * allowed.
   */
  readonly kind: 'connecting' | 'live' | 'stale' | 'polling' | 'off';
  /** Last time when the stream was known to be complete, epoch ms. */
  readonly asOf: number;
  /** Time of the next attempt, epoch ms. */
  readonly retryAt: number | null;
  /** Version of the server; empty before the first `hello`. */
  readonly version: string;
}

interface ReaderParts {
  /** Reads one connection to its end; throws when it breaks. */
  readonly connect: (
    position: string | null,
    signal: AbortSignal,
    tell: (told: StreamNews, position: string | null) => void,
  ) => Promise<Ended>;
  /** Returns true if there is a valid token now. */
  readonly renew: () => Promise<boolean>;
  readonly now: () => number;
  readonly setServerTime: (at: string) => void;
  readonly show: (state: LiveState) => void;
  readonly tell: (changes: TopicChanges) => void;
}

const HELLO_MS = 5_000;
/** Together with the detection of a lost connection, 5 s at most. */
const STALE_MS = 4_000;
const POLL_MS = 10_000;
/** The server sends something at least every 15 s. */
const SILENCE_MS = 35_000;
const WAITS_MS = [500, 1_000, 2_000, 3_000, 4_000] as const;
/** However long the server asks to wait. */
const LONGEST_WAIT_MS = 60_000;

export const NEVER: LiveState = { kind: 'connecting', asOf: 0, retryAt: null, version: '' };

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Outcome of a connection; a number: refused, with the delay before the retry, ms. */
type Outcome = Ended | 'broken' | number;

const outcomeOf = (error: unknown): Outcome => {
  const asked = error instanceof CallProblem ? error.retryAfterMs : null;
  return asked === null ? 'broken' : Math.min(LONGEST_WAIT_MS, asked);
};

const waitAfter = (ended: Outcome, failures: number): number => {
  const own = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] as number;
  return typeof ended === 'number' ? Math.max(ended, own) : own;
};

/** Maintains one stream until `signal` ends it: reconnects, resumes where it was cut, and polls while there is none. */
export async function readLive(given: ReaderParts, signal: AbortSignal): Promise<void> {
  const { connect, renew, now, show, tell } = given;
  let state: LiveState = { ...NEVER, asOf: now() };
  let position: string | null = null;
  let failures = 0;
  let poll: ReturnType<typeof setInterval> | undefined;
  let staleTimer: ReturnType<typeof setTimeout> | undefined;

  const become = (change: Partial<LiveState>): void => {
    state = { ...state, ...change };
    if (!signal.aborted) show(state);
  };
  const startPolling = (): void => {
    if (poll !== undefined || signal.aborted) return;
    poll = setInterval(() => tell(EVERYTHING), POLL_MS);
    if (state.kind === 'connecting') become({ kind: 'polling' });
  };
  const stopPolling = (): void => {
    clearInterval(poll);
    poll = undefined;
  };

  const connected = async (): Promise<Ended> => {
    const broken = new AbortController();
    const either = AbortSignal.any([signal, broken.signal]);
    let quiet = setTimeout(startPolling, HELLO_MS);
    try {
      return await connect(position, either, (told, at) => {
        clearTimeout(quiet);
        quiet = setTimeout(() => broken.abort(new Error(text.streamTimedOut)), SILENCE_MS);
        if (told.kind === 'hello') {
          given.setServerTime(told.at);
          stopPolling();
          // No message has changes between the first read of a page and the stream.
          if (position === null) tell(EVERYTHING);
        }
        if (at !== null) position = at;
        failures = 0;
        clearTimeout(staleTimer);
        staleTimer = undefined;
        become({ kind: 'live', asOf: now(), retryAt: null, ...(told.kind === 'hello' && { version: told.version }) });
        if (told.kind === 'changes') tell(told.changes);
      });
    } finally {
      clearTimeout(quiet);
    }
  };

  const goneStale = (): void => {
    if (state.kind === 'live') become({ kind: 'stale' });
    startPolling();
  };
  while (!signal.aborted) {
    const ended: Outcome = await connected().catch(outcomeOf);
    if (signal.aborted) break;
    if (ended === 'forbidden') {
      become({ kind: 'off' });
      break;
    }
    if (state.kind === 'live' && staleTimer === undefined) {
      become({ asOf: now() });
      staleTimer = setTimeout(goneStale, STALE_MS);
    } else if (state.kind === 'connecting' && (failures > 0 || typeof ended === 'number')) startPolling();
    const renewed = ended === 'refused' ? await renew() : false;
    const wait = renewed ? 0 : waitAfter(ended, failures);
    failures += 1;
    become({ retryAt: now() + wait });
    await sleep(wait, signal);
  }
  clearTimeout(staleTimer);
  stopPolling();
}
