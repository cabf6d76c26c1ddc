import { useEffect } from 'react';
import { SEVERITY_WORDS } from '#console/facts/severity-shapes.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { number } from '#console/words/counts.ts';
import type { Severity } from '#domain/event/event.ts';
import classes from './data.module.css';

interface Props {
  readonly count: number;
  /** The worst row that waits, when it is known. */
  readonly worst?: { readonly severity: Severity | null; readonly title: string | null } | undefined;
  readonly takeIn: () => void;
}

/** `1 new critical: Camera offline`, `3 new, worst critical: Camera offline`. */
const newWords = (count: number, worst: Props['worst']): string => {
  if (worst?.severity == null) return `${number(count)} new`;
  const severity = SEVERITY_WORDS[worst.severity].toLowerCase();
  const how = count === 1 ? ` ${severity}` : `, worst ${severity}`;
  return `${number(count)} new${how}${worst.title === null ? '' : `: ${worst.title}`}`;
};

/** Says how many rows wait, and how bad they are; they come in when a person wants it. */
export function NewPill({ count, worst, takeIn }: Props) {
  useShortcuts([{ keys: '.', words: 'Take in what is new', section: 'List', isActive: count > 0, run: takeIn }]);
  const { announcer } = useParts();
  const words = newWords(count, worst);
  useEffect(() => {
    if (count > 0) announcer.announce('list', `${words}; the full stop takes it in`);
  }, [announcer, count, words]);
  if (count === 0) return null;
  return (
    <button type="button" className={classes.strip} data-severity={worst?.severity ?? undefined} onClick={takeIn}>
      {words}
    </button>
  );
}
