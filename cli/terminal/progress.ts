import { Presets, SingleBar } from 'cli-progress';
import type { Screen } from './screen.ts';

export interface Progress {
  step(count?: number): void;
  done(): void;
}

/** Four plain lines from beginning to end. */
const LINES = 4;

const plain = (screen: Screen, what: string, total: number): Progress => {
  let [seen, said] = [0, 0];
  return {
    step(count = 1) {
      seen += count;
      const quarter = Math.floor((seen * LINES) / Math.max(1, total));
      if (quarter === said) return;
      said = quarter;
      screen.print(`  ${what}: ${seen.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`);
    },
    done() {},
  };
};

/** A bar on a terminal, some lines elsewhere. */
export const openProgress = (screen: Screen, what: string, total: number): Progress => {
  if (!screen.isTerminal) return plain(screen, what, total);
  const bar = new SingleBar(
    { format: `  ${what.padEnd(22)} {bar} {percentage}% | {value}/{total}`, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { step: (count = 1) => bar.increment(count), done: () => bar.stop() };
};
