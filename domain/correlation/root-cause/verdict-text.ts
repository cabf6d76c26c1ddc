import { clipped } from '#domain/text.ts';

interface JudgedRoot {
  readonly by: string;
  readonly isRight: boolean;
  readonly note: string | null | undefined;
  /** Root cause in words. */
  readonly root: string;
  /** Scored root cause in words; null: the same, or none. */
  readonly scored: string | null;
}

const MAX_NOTE = 120;

/** `Root cause set by Ann: "Link down" on sw-1, "broken SFP"; top score: "Disk full" on db-1.` */
export const verdictText = ({ by, isRight, note, root, scored }: JudgedRoot): string => {
  const said = note ? `, "${clipped(note, MAX_NOTE)}"` : '';
  return `Root cause ${isRight ? 'confirmed' : 'set'} by ${by}: ${root}${said}${scored === null ? '' : `; top score: ${scored}`}.`;
};
