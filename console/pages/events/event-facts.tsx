import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OneEvent } from '#console/api/event-finds.ts';
import { CiName } from '#console/components/ci-name.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { count, plain } from '#console/text/counts.ts';
import { assigneeName } from '#domain/event/event-words.ts';
import { percent } from '#domain/numbers.ts';
import classes from './events.module.css';
import * as texts from './texts.ts';

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Ci({ event: { ciId, binding } }: { readonly event: OneEvent }) {
  if (ciId === undefined) return <span className={classes.unbound}>{texts.noCiBoundNo}</span>;
  const found = binding === undefined ? '' : texts.boundBy(binding.method, percent(binding.confidence));
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

const suppressedWords = (by: string): string => {
  if (by.startsWith('manual:')) return texts.byUser;
  return by.startsWith('maintenance:') ? texts.byMaintenance : texts.bySilence;
};

/** Facts of an event. */
export function EventFacts({ event }: { readonly event: OneEvent }) {
  const { correlationId, acknowledgedBy, suppressedUntil, suppressedBy, conditions } = event;
  const keeper = assigneeName(event) ?? acknowledgedBy?.name;
  return (
    <dl className={classes.factList}>
      <Fact name={texts.ci}>
        <Ci event={event} />
      </Fact>
      {text(texts.hostname, event.hostname)}
      {text(texts.ipAddress, event.ipAddress)}
      {text('Service', event.service ?? event.application)}
      {text('Environment', event.environment)}
      <Fact name={texts.source}>
        {event.source} <span className={classes.unbound}>{event.sourceId}</span>
      </Fact>
      {event.alsoReportedBy === undefined ? null : (
        <Fact name={texts.alsoReportedBy}>{event.alsoReportedBy.join(', ')}</Fact>
      )}
      <Fact name={texts.firstSeen}>
        <Timestamp at={event.firstOccurrence} />
      </Fact>
      <Fact name={texts.lastSeen}>
        <Timestamp at={event.lastOccurrence} />{' '}
        <span className={classes.unbound}>{count(event.occurrenceCount, 'occurrence')}</span>
      </Fact>
      {event.returns === undefined ? null : (
        <Fact name={texts.recurred}>{texts.returned(count(event.returns, 'time'))}</Fact>
      )}
      <Fact name={texts.group}>
        {correlationId === null ? (
          <span className={classes.unbound}>{texts.noneNoRelatedEvents}</span>
        ) : (
          <Link to={`/groups/${correlationId}`}>{texts.viewGroup}</Link>
        )}
      </Fact>
      <Fact name={texts.assignee}>{keeper ?? <span className={classes.unbound}>{texts.unassigned}</span>}</Fact>
      {event.usual ? <Fact name={texts.recurringFact}>{texts.activeMostOfTheTime}</Fact> : null}
      {suppressedBy === undefined ? null : (
        <Fact name={texts.suppressed}>
          {suppressedWords(suppressedBy)}
          {suppressedUntil === undefined ? null : (
            <>
              {' '}
              {texts.until} <Timestamp at={suppressedUntil} />
            </>
          )}
        </Fact>
      )}
      {conditions.length < 2 ? null : (
        <Fact name={texts.waitingFor}>{texts.toRecover(count(conditions.length, 'condition'))}</Fact>
      )}
      {event.tags.length === 0 ? null : <Fact name={texts.tags}>{event.tags.join(', ')}</Fact>}
      {event.businessImpact === undefined || event.businessImpact.affectedServices.length === 0 ? null : (
        <Fact name={texts.affectedServices}>
          {event.businessImpact.affectedServices.map(({ name }) => name).join(', ')}
        </Fact>
      )}
    </dl>
  );
}
