import type { MessageReading } from './reading.ts';
import { subjectOf } from './reading.ts';

const SUGGESTED = 3;

/** Of a whole tenant; nothing in them is a name. */
export const EXAMPLES = ['What is the cause of the worst fault?', 'Which events are open?', 'What changed today?'];

/** Suggested questions; a name is quoted, so that it is found whatever its looks. */
export function suggestionsFor(reading: MessageReading): readonly string[] {
  const subject = subjectOf(reading) ?? reading.current;
  if (subject === null) return EXAMPLES;
  const name = `"${subject.name}"`;
  const all = [
    ['status', `What is the status of ${name}?`],
    ['why', `Why does ${name} have problems?`],
    ['depends', `What depends on ${name}?`],
    ['impact', `What happens if ${name} fails?`],
    ['changes', `What changed on ${name} this week?`],
  ] as const;
  return all
    .filter(([intent]) => intent !== reading.intent)
    .slice(0, SUGGESTED)
    .map(([, text]) => text);
}
