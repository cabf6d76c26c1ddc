import { Page } from '#console/frame/page.tsx';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { DemoCard } from './demo-card.tsx';
import { KnownCard } from './known-card.tsx';
import { SourceCard } from './source-card.tsx';
import classes from './start.module.css';

/** The first run; later the way to set up more. */
export function StartPage() {
  const me = useMe();
  const hasDemo = useMay('tenants.manage') && me.features.demo;
  const hasSources = useMay('tokens.manage');
  const hasImport = useMay('cmdb.write');
  const hasNone = !hasDemo && !hasSources && !hasImport;
  return (
    <Page
      title={me.empty.events ? 'Nothing has arrived yet' : 'Set-up'}
      lead={me.empty.events ? 'Three ways to begin:' : 'More monitors, more of what you have, or the demo.'}
      scrolls
    >
      <div className={classes.cards}>
        {hasDemo ? <DemoCard /> : null}
        {hasSources ? <SourceCard /> : null}
        {hasImport ? <KnownCard /> : null}
      </div>
      {hasNone ? <p>Your role may look and not set up. An administrator of {me.tenant.id} can.</p> : null}
    </Page>
  );
}
