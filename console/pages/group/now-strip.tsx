import { Link } from '@tanstack/react-router';
import type { MemberData } from '#console/api/group-parts.ts';
import type { GroupDetailData } from '#console/api/groups.ts';
import { Age } from '#console/components/age.tsx';
import { linksOf, linksOfText, shownOf } from '#console/components/links/event-links.ts';
import { SafeLink } from '#console/components/links/safe-link.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { useMay } from '#console/hooks/use-me.ts';
import { number } from '#console/text/counts.ts';
import { eventName } from '#console/text/event-text.ts';
import { severityRank } from '#domain/event/event.ts';
import classes from './group.module.css';
import { memberPath } from './tabs/members-tab.tsx';
import * as texts from './texts.ts';

const FEW = 3;

const isOpen = ({ status }: MemberData): boolean => status === 'open' || status === 'acknowledged';
const worstFirst = (a: MemberData, b: MemberData): number =>
  severityRank(b.severity) - severityRank(a.severity) || Date.parse(a.firstOccurrence) - Date.parse(b.firstOccurrence);

interface Props {
  readonly group: GroupDetailData;
  readonly members: readonly MemberData[];
}

function Services({ group }: Pick<Props, 'group'>) {
  const maySee = useMay('services.read');
  const { names } = group.servicesHit;
  const hit = group.impactedServices.filter(({ name }) => names.includes(name));
  return hit.map(({ id, name, impact }) => (
    <li key={id} className={classes.nowService} data-down={impact === 'full_outage' || undefined}>
      {maySee ? <Link to={`/services/${id}`}>{name}</Link> : name}{' '}
      {impact === 'full_outage' ? texts.serviceDown : texts.serviceDegraded}
    </li>
  ));
}

/** Worst events that are not over, and the services that they affect. */
function Wrong({ group, members }: Props) {
  const open = members.filter(isOpen).toSorted(worstFirst);
  if (open.length === 0) return <p className={classes.dim}>{texts.nothingOpen}</p>;
  const { counts } = group;
  const more = counts.open + counts.acknowledged - FEW;
  return (
    <ul className={classes.now} aria-label={texts.openNow}>
      {open.slice(0, FEW).map((member) => (
        <li key={member.eventId}>
          <SeverityMark severity={member.severity} bare />{' '}
          <Link to={`/${memberPath(group.correlationId, member)}`}>
            <bdi>{eventName(member)}</bdi>
          </Link>{' '}
          <Age since={member.firstOccurrence} />
        </li>
      ))}
      {more > 0 ? <li className={classes.dim}>{texts.andMore(number(more))}</li> : null}
      <Services group={group} />
    </ul>
  );
}

/** Addresses that the root cause and the notes name. */
function Links({ group }: Pick<Props, 'group'>) {
  const links = [
    ...linksOf(group.cause?.event.details ?? {}),
    ...group.notes.flatMap(({ text }) => linksOfText(text).map((address) => ({ words: texts.fromNotes, address }))),
  ].slice(0, 6);
  if (links.length === 0) return null;
  return (
    <ul className={classes.links} aria-label={texts.links}>
      {links.map(({ words, address }) => (
        <li key={address}>
          <span className={classes.dim}>{words}</span>{' '}
          <SafeLink text={address} shown={words === texts.fromNotes ? shownOf(address) : new URL(address).host} />
        </li>
      ))}
    </ul>
  );
}

/** The state of a group now, and ways out of it. */
export function NowStrip(props: Props) {
  return (
    <section className={classes.strip} aria-label={texts.now}>
      <Wrong {...props} />
      <Links group={props.group} />
    </section>
  );
}
