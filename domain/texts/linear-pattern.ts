/** Regular expressions of users, matched as a whole in time linear to the text: no backtracking. */
import { type CharTest, code, Malformed, type PatternNode, PatternParser } from './pattern-syntax.ts';

const MAX_SOURCE = 1_024;
const MAX_STEPS = 4_000;
/** States of one pattern that are remembered; beyond, all are forgotten. */
const MAX_STATES = 500;

/** A step of the compiled pattern: a test of a character, or further steps without one. */
type Step =
  | { readonly test: CharTest; readonly to: number }
  | { readonly to: readonly number[]; readonly at?: 'start' | 'end' };

/** Compiles from the end to the start, so that each step knows its successor; step 0 is the match. */
class Program {
  readonly steps: Step[] = [{ to: [] }];

  #add(step: Step): number {
    if (this.steps.length >= MAX_STEPS) throw new Malformed('too large');
    return this.steps.push(step) - 1;
  }

  compile(node: PatternNode, next: number): number {
    if (node.kind === 'character') return this.#add({ test: node.test, to: next });
    if (node.kind === 'sequence') return node.parts.reduceRight((to, part) => this.compile(part, to), next);
    if (node.kind === 'choice') return this.#add({ to: node.parts.map((part) => this.compile(part, next)) });
    if (node.kind !== 'repeat') return this.#add({ to: [next], at: node.kind });
    let to = next;
    if (node.most === Number.POSITIVE_INFINITY) {
      to = this.#add({ to: [] });
      this.steps[to] = { to: [this.compile(node.part, to), next] };
    } else for (let i = node.least; i < node.most; i++) to = this.#add({ to: [this.compile(node.part, to), next] });
    for (let i = 0; i < node.least; i++) to = this.compile(node.part, to);
    return to;
  }
}

/** A set of steps, with its successors by character as far as they were needed. */
interface State {
  readonly steps: readonly number[];
  readonly byCharacter: Map<number, State>;
  readonly isMatch: boolean;
}

const stateMachine = ({ steps }: Program, first: number) => {
  const known = new Map<string, State>();

  const reach = (from: readonly number[], at: 'start' | 'end' | null): Set<number> => {
    const reached = new Set<number>();
    const stack = [...from];
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      const step = steps[one];
      if (step === undefined || reached.has(one)) continue;
      reached.add(one);
      if ('test' in step || (step.at !== undefined && step.at !== at)) continue;
      stack.push(...step.to);
    }
    return reached;
  };
  const stateOf = (from: readonly number[], at: 'start' | null): State => {
    const kept = [...reach(from, at)].sort((a, b) => a - b);
    const key = kept.join();
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MAX_STATES) known.clear();
    const state: State = { steps: kept, byCharacter: new Map(), isMatch: reach(kept, 'end').has(0) };
    known.set(key, state);
    return state;
  };
  const after = (state: State, character: number): State => {
    const found = state.byCharacter.get(character);
    if (found !== undefined) return found;
    const to: number[] = [];
    for (const one of state.steps) {
      const step = steps[one];
      if (step !== undefined && 'test' in step && step.test(character)) to.push(step.to);
    }
    const next = stateOf(to, null);
    if (state.byCharacter.size < MAX_STATES) state.byCharacter.set(character, next);
    return next;
  };
  return { first: stateOf([first], 'start'), after };
};

/** Returns a test of whole texts; a text instead: the reason why the pattern is malformed. */
export const linearPattern = (source: string): ((text: string) => boolean) | string => {
  if (source.length > MAX_SOURCE) return `expected at most ${MAX_SOURCE} characters`;
  try {
    const program = new Program();
    const { first, after } = stateMachine(program, program.compile(new PatternParser(source).whole(), 0));
    return (text) => {
      let state = first;
      for (const character of text) {
        if (state.steps.length === 0) return false;
        state = after(state, code(character));
      }
      return state.isMatch;
    };
  } catch (error) {
    if (error instanceof Malformed) return `invalid regular expression: ${error.message}`;
    throw error;
  }
};
