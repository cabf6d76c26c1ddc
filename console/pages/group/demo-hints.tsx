import { Button } from '@mantine/core';
import { useAddress } from '#console/hooks/use-address.ts';
import classes from './demo-hints.module.css';
import * as texts from './texts.ts';

const HINTS = [
  [texts.rootCauseLabel, texts.titleNamesProbableRoot],
  [texts.impact, texts.mapShowsEverythingImpacted],
  [texts.acknowledge, texts.pressAcknowledgeYouCan],
  [texts.whyAreTheseGrouped, texts.belowSelectTwoEvents],
] as const;

/** Hints for a user who arrives from the setup with the demo; the address has a flag for it, which is removed. */
export function DemoHints() {
  const { query, change } = useAddress();
  if (query.hints === undefined) return null;
  return (
    <section className={classes.hints} aria-label={texts.demoTips}>
      <ol className={classes.list}>
        {HINTS.map(([title, text]) => (
          <li key={title}>
            <strong>{title}</strong>
            <span className={classes.text}>{text}</span>
          </li>
        ))}
      </ol>
      <Button variant="subtle" size="compact-sm" onClick={() => change({ hints: null }, { replace: true })}>
        {texts.gotIt}
      </Button>
    </section>
  );
}
