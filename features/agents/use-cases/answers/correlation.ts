import { parseEventId } from '#domain/event/event.ts';
import { pair } from '#features/questions/use-cases/tools/kinds/explain.ts';
import type { AgentContext, AgentQuestion, RulesAnswer } from './describe.ts';

const NAMED = 2;

/** Explains two events that a question names by ID; null: it names no two. */
export async function pairOf(_: AgentContext, { reading, desk }: AgentQuestion): Promise<RulesAnswer | null> {
  const [event, other] = reading.ids.filter((id) => parseEventId(id) !== null);
  if (event === undefined || other === undefined) return null;
  const row = await desk.find(pair, { event, other });
  if (row === null) return null;
  const refs = [row, desk.ref(row, 1)];
  const joining = row.strategies.filter(({ joined }) => joined).toSorted((a, b) => b.score - a.score);
  const by = joining
    .slice(0, NAMED)
    .map(({ strategy, reason, score }) => `${strategy} (${reason}, ${score.toFixed(2)})`)
    .join(' and ');
  const blocked = row.refusedReason ?? row.notCompared?.reason ?? 'no strategy scored above the threshold';
  if (!row.together) desk.say(`Not grouped: ${blocked}.`, refs);
  else if (joining.length > 0) desk.say(`Grouped by ${by}.`, refs, 'likely');
  else desk.say(row.manual ? 'Merged manually.' : 'Grouped through other events of the group.', refs);
  desk.say(row.together ? 'Both are in the same group.' : 'They are not in the same group.', refs);
  return {
    findings: desk.findings,
    confidence: joining[0]?.score ?? 0,
    reasoning: 'Based on the stored correlation records of both events.',
    abstained: false,
  };
}
