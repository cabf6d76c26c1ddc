import { counted } from '#features/ai/rules/findings.ts';
import { affectedItem, wholeRef } from '../evidence.ts';
import type { ContextRow, ToolFound } from '../tools.ts';
import type { Telling } from './telling.ts';

/** Of each affected service a sentence, the worst first. */
function tellAffected(
  { findings }: Telling,
  affected: NonNullable<ContextRow['affected']>,
  whole: string | null,
): void {
  const { total, worst } = affected;
  const some = `${counted(total, 'business service is', 'business services are')} affected.`;
  findings.say(total === 0 ? 'No business service is affected.' : some, [whole]);
  for (const row of worst) {
    const { name, criticality, status, score } = row;
    findings.say(`The service "${name}" (${criticality}) is ${status}: health ${score} of 100.`, [
      findings.add(affectedItem(row)),
    ]);
  }
}

/** How things are in the whole tenant; of services when it was asked how things are, or what is affected. */
export function tellContext(telling: Telling, run: ToolFound<'get-context'>): void {
  const { findings, reading } = telling;
  const ref = wholeRef(findings, run);
  for (const { cis, allOpenEvents, currentCI, openEvents, affected } of run.rows) {
    if (reading.intent === 'impact') {
      if (affected !== null) tellAffected(telling, affected, ref);
      continue;
    }
    if (cis !== null) findings.say(`CIs in the CMDB: ${cis}.`, [ref]);
    if (allOpenEvents !== null) findings.say(`Open events: ${allOpenEvents}.`, [ref]);
    if (reading.intent === 'status' && affected !== null) tellAffected(telling, affected, ref);
    if (currentCI !== null) findings.say(`We are talking about ${currentCI.name}.`, [ref]);
    if (currentCI !== null && openEvents !== null) findings.say(`Its open events: ${openEvents}.`, [ref]);
  }
}
