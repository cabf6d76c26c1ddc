import { useEffect } from 'react';
import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { number } from '#console/text/counts.ts';
import type { Severity } from '#domain/event/event.ts';
import classes from './data.module.css';
import * as text from './texts.ts';

interface Props {
  readonly count: number;
  /** The worst row that waits, when it is known. */
  readonly worst?: { readonly severity: Severity | null; readonly title: string } | undefined;
  readonly takeIn: () => void;
}

/** `1 new critical: Camera offline`, `3 new, worst critical: Camera offline`. */
const newWords = (count: number, worst: Props['worst']): string => {
  if (worst?.severity == null) return text.newItems(number(count));
  const severity = SEVERITY_WORDS[worst.severity].toLowerCase();
  const how = count === 1 ? ` ${severity}` : `, worst ${severity}`;
  return `${number(count)} new${how}: ${worst.title}`;
};

/** Shows the number of waiting rows, and their worst severity; they are inserted on a click. */
export function NewPill({ count, worst, takeIn }: Props) {
  useShortcuts([{ keys: '.', words: text.showNewItems, section: 'List', isActive: count > 0, run: takeIn }]);
  const { announcer } = useAppServices();
  const words = newWords(count, worst);
  useEffect(() => {
    if (count > 0) announcer.announce('list', text.pressToShowThem(words));
  }, [announcer, count, words]);
  if (count === 0) return null;
  return (
    <button type="button" className={classes.strip} data-severity={worst?.severity ?? undefined} onClick={takeIn}>
      {words}
    </button>
  );
}
