import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OneEvent } from '#console/api/event-finds.ts';
import { CiName } from '#console/facts/ci-name.tsx';
import { When } from '#console/facts/when.tsx';
import { count, percent, plain } from '#console/words/counts.ts';
import classes from './events.module.css';

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Ci({ event: { ciId, binding } }: { readonly event: OneEvent }) {
  if (ciId === undefined) return <span className={classes.unbound}>not known: no CI has this name or address</span>;
  const found = binding === undefined ? '' : `, found by ${binding.method} (${percent(binding.confidence)})`;
  return (
    <>
      <CiName id={ciId._id} name={ciId.name} />
      <span className={classes.unbound}>
        {' '}
        {plain(ciId.type).toLowerCase()}
        {found}
      </span>
    </>
  );
}

const text = (name: string, value: string | undefined): ReactNode =>
  value === undefined || value === '' ? null : (
    <Fact key={name} name={name}>
      {value}
    </Fact>
  );

/** Facts of an event. */
export function EventFacts({ event }: { readonly event: OneEvent }) {
  const { correlationId, assignedTo, assignedTeam, acknowledgedBy, suppressedUntil, suppressedBy, conditions } = event;
  const keeper = assignedTo?.name ?? assignedTeam?.name ?? acknowledgedBy?.name;
  return (
    <dl className={classes.factList}>
      <Fact name="CI">
        <Ci event={event} />
      </Fact>
      {text('Host', event.hostname)}
      {text('Address', event.ipAddress)}
      {text('Service', event.service ?? event.application)}
      {text('Environment', event.environment)}
      <Fact name="Source">
        {event.source} <span className={classes.unbound}>{event.sourceId}</span>
      </Fact>
      {event.alsoReportedBy === undefined ? null : (
        <Fact name="Also reported by">{event.alsoReportedBy.join(', ')}</Fact>
      )}
      <Fact name="First seen">
        <When at={event.firstOccurrence} />
      </Fact>
      <Fact name="Last seen">
        <When at={event.lastOccurrence} />{' '}
        <span className={classes.unbound}>{count(event.occurrenceCount, 'occurrence')}</span>
      </Fact>
      {event.returns === undefined ? null : (
        <Fact name="Came back">{count(event.returns, 'time')} within an hour of its end</Fact>
      )}
      <Fact name="Group">
        {correlationId === null ? (
          <span className={classes.unbound}>none: nothing related to it came</span>
        ) : (
          <Link to={`/groups/${correlationId}`}>Open its group</Link>
        )}
      </Fact>
      <Fact name="Who has it">{keeper ?? <span className={classes.unbound}>nobody</span>}</Fact>
      {event.usual ? <Fact name="Usual">there most of the last four hours; it explains nothing</Fact> : null}
      {suppressedBy === undefined ? null : (
        <Fact name="Suppressed">
          by {suppressedBy.startsWith('maintenance:') ? 'the maintenance of its CI' : 'a silence'}
          {suppressedUntil === undefined ? null : (
            <>
              {' '}
              until <When at={suppressedUntil} />
            </>
          )}
        </Fact>
      )}
      {conditions.length < 2 ? null : <Fact name="Waits for">{count(conditions.length, 'condition')} to recover</Fact>}
      {event.tags.length === 0 ? null : <Fact name="Tags">{event.tags.join(', ')}</Fact>}
      {event.businessImpact === undefined || event.businessImpact.affectedServices.length === 0 ? null : (
        <Fact name="Services hit">{event.businessImpact.affectedServices.map(({ name }) => name).join(', ')}</Fact>
      )}
    </dl>
  );
}
