import { severityRank } from '#domain/event/event.ts';
import type { Finding } from './finding.ts';

/** Insights of one answer, and of one kind among them while there are others. */
const MAX_INSIGHTS = 20;
const MAX_OF_A_KIND = 4;

const weightier = (a: Finding, b: Finding): number =>
  severityRank(b.severity) - severityRank(a.severity) ||
  b.confidence - a.confidence ||
  (`${a.kind} ${a.subject}` < `${b.kind} ${b.subject}` ? -1 : 1);

/** The weightiest, at most 20; one kind does not crowd out the others. */
export function ranked(findings: readonly Finding[]): Finding[] {
  const sorted = [...findings].sort(weightier);
  const seen = new Map<string, number>();
  const [first, rest]: [Finding[], Finding[]] = [[], []];
  for (const finding of sorted) {
    const of = (seen.get(finding.kind) ?? 0) + 1;
    seen.set(finding.kind, of);
    (of <= MAX_OF_A_KIND ? first : rest).push(finding);
  }
  return [...first, ...rest].slice(0, MAX_INSIGHTS).sort(weightier);
}
