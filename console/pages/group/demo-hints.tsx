import { Button } from '@mantine/core';
import { useAddress } from '#console/hooks/use-address.ts';
import classes from './demo-hints.module.css';

const HINTS = [
  ['What broke', 'The title is the probable cause. The bars below say what speaks for it.'],
  ['What it takes along', 'The map leads from the cause to what fails with it. A click on a CI shows its events.'],
  ['Say that you are on it', 'Acknowledge it with a. Undo takes it back; ? shows all keys.'],
  ['Why are they together?', 'Further down: choose two members with x, then press e.'],
] as const;

/** For who comes from the set-up with the demo; the address says so, and forgets it. */
export function DemoHints() {
  const { query, change } = useAddress();
  if (query.hints === undefined) return null;
  return (
    <section className={classes.hints} aria-label="What to look at">
      <ol className={classes.list}>
        {HINTS.map(([title, text]) => (
          <li key={title}>
            <strong>{title}</strong>
            <span className={classes.text}>{text}</span>
          </li>
        ))}
      </ol>
      <Button variant="subtle" size="compact-sm" onClick={() => change({ hints: null }, { replace: true })}>
        Got it
      </Button>
    </section>
  );
}
