import type { Clue } from '#domain/correlation/records.ts';

/** Habit below which a problem is unusual for its CI; from the other on it is frequent. */
const UNUSUAL = 0.2;
const FREQUENT = 1;

type ShownClue = Pick<Clue, 'kind' | 'cis' | 'habit'> & { readonly parts?: Clue['parts'] | undefined };

const habitWords = (habit: number): string[] => {
  if (habit < UNUSUAL) return ['unusual for this CI'];
  return habit >= FREQUENT ? ['frequent on this CI'] : [];
};

/**
 * Describes the evidence for a CI: `Reported by this CI only, unusual for this CI`, `8 of 9 of its instances report
 * it`.
 */
export const clueWords = ({ kind, cis, habit, parts }: ShownClue): string => {
  if (kind === 'symptom') return 'Symptom, possibly spread from another CI';
  if (parts !== undefined) return `${parts.saying} of ${parts.all} of its instances report it`;
  return [cis === 1 ? 'Reported by this CI only' : `Reported by ${cis} CIs`, ...habitWords(habit)].join(', ');
};
