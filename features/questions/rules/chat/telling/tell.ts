import { itemAt } from '#domain/known.ts';
import type { Findings } from '#features/ai/rules/findings.ts';
import { causesOf, findingsOf } from '../evidence.ts';
import type { MessageReading } from '../reading.ts';
import type { ToolRun } from '../tools.ts';
import { tellDetails } from './tell-ci.ts';
import { tellContext } from './tell-context.ts';
import { tellEvents } from './tell-events.ts';
import { tellCis, tellRelationships } from './tell-lists.ts';
import { tellCompared, tellNumber } from './tell-numbers.ts';
import type { Telling } from './telling.ts';

/** Sentences of rules about the results of the tools. */
interface Told {
  readonly findings: Findings;
  /** A cause was asked for and none can be named, or no CI is called as it was said. */
  readonly abstained: boolean;
  /** Aliases of what may be named as a cause. */
  readonly causes: readonly string[];
}

/** False: a cause was asked for and none is named. */
function tellRun(telling: Telling, run: ToolRun): boolean {
  switch (run.tool) {
    case 'search-cis':
      tellCis(telling, run);
      return true;
    case 'get-ci-details':
      tellDetails(telling, run);
      return true;
    case 'search-relationships':
      tellRelationships(telling, run);
      return true;
    case 'analytics-query':
      tellNumber(telling, run);
      return true;
    case 'search-events':
      return tellEvents(telling, run);
    case 'get-context':
      tellContext(telling, run);
      return true;
  }
}

/** Nothing is called as the message says. */
const isUnknownName = (run: ToolRun): boolean =>
  run.tool === 'search-cis' && run.params.name !== undefined && run.total === 0;

/** Sentences about all calls, each of which stands on their rows. */
export function tellRuns(reading: MessageReading, all: readonly ToolRun[], abstainBelow: number): Told {
  const runs = all.filter(({ error }) => error === null);
  const findings = findingsOf(runs);
  const telling = { findings, reading, abstainBelow, runs };
  if (reading.intent === 'compare') tellCompared(telling);
  const named = runs.map((run) => tellRun(telling, run));
  return {
    findings,
    causes: causesOf(findings, runs, abstainBelow),
    abstained:
      (reading.intent === 'why' && named.every((one, i) => !one || itemAt(runs, i).tool !== 'search-events')) ||
      (runs.length > 0 && runs.every(isUnknownName)),
  };
}
