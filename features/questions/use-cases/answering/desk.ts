import type { Certainty } from '#domain/ai/evidence.ts';
import { enumeration, Findings } from '#features/ai/rules/findings.ts';
import type { TalkMemory } from '#features/questions/rules/asking/memory.ts';
import { ZoneClock } from '#features/questions/rules/asking/say-time.ts';
import {
  type AnyQuestionTool,
  type Asking,
  type QuestionTool,
  runTool,
  type ToolParams,
  type ToolRun,
  wholeOf,
} from '#features/questions/use-cases/tools/tool.ts';
import type { MessageReading } from './read-message.ts';

const DAY_MS = 86_400_000;
/** Names that a sentence lists in full. */
const NAMED = 8;
/** `a, b and 5 more`. */
export const listed = (names: readonly string[]): string => enumeration([...new Set(names)], NAMED);
const MAX_TITLE = 120;
export const quoted = (title: string): string =>
  `"${title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title}"`;
export const onPlace = (place: string | null): string => (place === null ? '' : ` on ${place}`);

/** Rows of a call and its run, which sentences cite. */
export interface LookUp<R> {
  readonly rows: readonly R[];
  readonly total: number;
  readonly run: ToolRun;
}

/** Collects the tool calls and sentences of one answer. */
export class Desk {
  readonly asking: Asking;
  readonly reading: MessageReading;
  readonly memory: TalkMemory;
  readonly clock: ZoneClock;
  readonly findings = new Findings();
  readonly runs: ToolRun[] = [];
  /** Aliases that may be named as root cause. */
  readonly causes: string[] = [];
  isAbstained = false;
  confidence = 1;
  /** Memory for later messages. */
  next: Partial<TalkMemory> = {};
  /** Sentences about the chatbot itself, which stand on nothing. */
  readonly lead: string[] = [];
  /** Words that the answer leaves out. */
  readonly left: string[] = [];

  constructor(asking: Asking, reading: MessageReading, memory: TalkMemory) {
    this.asking = asking;
    this.reading = reading;
    this.memory = memory;
    this.clock = new ZoneClock(asking.zone, asking.receivedAt);
  }

  /** Makes a call, each once. */
  async look<P extends ToolParams, R>(tool: QuestionTool<P, R>, params: P): Promise<LookUp<R>> {
    const key = JSON.stringify(params);
    const known = this.runs.find((run) => run.tool.name === tool.name && JSON.stringify(run.params) === key);
    const run = known ?? (await runTool(this.asking, tool as AnyQuestionTool, params));
    if (known === undefined) this.runs.push(run);
    return { rows: run.rows as readonly R[], total: run.total, run };
  }

  /** The alias of a row, or of its further evidence. */
  ref<R>({ run }: LookUp<R>, row: R, at = 0): string | null {
    const item = run.tool.items(row)[at];
    return item === undefined ? null : this.findings.add(item);
  }
  /** The alias of the list; null if it could not be read. */
  whole({ run }: LookUp<unknown>): string | null {
    const item = wholeOf(run);
    return item === null ? null : this.findings.add(item);
  }

  say(text: string, refs: readonly (string | null)[], certainty: Certainty = 'fact'): void {
    this.findings.say(text, refs, certainty);
  }
  /** The range of these days until now, or until another time, in ms. */
  lastDays(days: number, before = this.asking.receivedAt): string {
    return `${new Date(before - days * DAY_MS).toISOString()} to ${new Date(before + 60_000).toISOString()}`;
  }
  remember(memory: Partial<TalkMemory>): void {
    this.next = { ...this.next, ...memory };
  }
}
