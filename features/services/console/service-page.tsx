import { Button } from '@mantine/core';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { type CiRow, listCis, type States } from '#console/api/cmdb/cmdb.ts';
import type { GroupsPage } from '#console/api/groups.ts';
import { typeWords } from '#console/cis/ci-words.ts';
import detail from '#console/cis/detail.module.css';
import { GroupRows } from '#console/cis/group-rows.tsx';
import { Nothing, Panels } from '#console/cis/panels.tsx';
import { StateMark } from '#console/cis/state-mark.tsx';
import { useStates } from '#console/cis/use-states.ts';
import { Icon } from '#console/components/icon.tsx';
import rows from '#console/data/rows.module.css';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import heading from '#console/frame/heading.module.css';
import { Page } from '#console/frame/page.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import type { Drawing, DrawnNode } from '#console/maps/drawn.ts';
import { GraphCanvas } from '#console/maps/lazy-graph.ts';
import { LegendFold } from '#console/maps/legend.tsx';
import { MapTree } from '#console/maps/map-tree.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import * as shared from '#console/text/texts.ts';
import { ownerOf } from '#domain/topology/fields.ts';
import { SilenceDialog } from '#features/silences/console/silence-dialog.tsx';
import { draftOfCis } from '#features/silences/console/silence-draft.ts';
import {
  deleteService,
  readDependencies,
  readService,
  readWholeService,
  type ServiceData,
  type ServiceDependencies,
} from './api.ts';
import { HealthHistory } from './health-history.tsx';
import { HEALTH_WORDS, HealthMark } from './health-mark.tsx';
import classes from './service.module.css';
import { type EditedService, ServiceDialog } from './service-dialog.tsx';
import { draftOfService } from './service-draft.ts';
import * as text from './texts.ts';
import { useOpenGroups } from './use-open-groups.ts';
import { groupsOf } from './worst-first.ts';

/** Components that the page names. */
const MAX_CIS = 100;

/** Health as maps mark it. */
const WORST = { critical: 'critical', degraded: 'major', healthy: null, unknown: null } as const;

const serviceNode = (id: string, name: string, { status }: ServiceData['health']): DrawnNode => ({
  id,
  name,
  type: 'service',
  role: 'plain',
  worst: WORST[status],
  open: 0,
  acknowledged: 0,
  state: HEALTH_WORDS[status],
});

/** Above the service what it needs, below it what needs it. */
const drawnService = (
  service: ServiceData,
  cis: readonly CiRow[],
  states: States,
  needs: ServiceDependencies | undefined,
): Drawing => {
  const own = serviceNode(service.id, service.name, service.health);
  const components = cis.map(({ _id: id, name, type }): DrawnNode => {
    const { worst = null, open = 0, acknowledged = 0 } = states[id] ?? {};
    return { id, name, type, role: 'plain', worst, open, acknowledged };
  });
  const { upstream = [], downstream = [] } = needs ?? {};
  const edge = (source: string, target: string, type: string) => ({ source, target, type });
  return {
    isCut: service.components.length > MAX_CIS,
    nodes: [
      ...components,
      ...upstream.map(({ service_id: id, name, health }) => serviceNode(id, name, health)),
      own,
      ...downstream.map(({ service_id: id, name, health }) => serviceNode(id, name, health)),
    ],
    edges: [
      ...components.map(({ id }) => edge(own.id, id, 'runs_on')),
      ...upstream.map(({ service_id: id }) => edge(own.id, id, 'depends_on')),
      ...downstream.map(({ service_id: id }) => edge(id, own.id, 'depends_on')),
    ],
  };
};

interface ServiceMapProps {
  readonly service: ServiceData;
  readonly cis: readonly CiRow[];
  readonly states: States;
  readonly needs: ServiceDependencies | undefined;
}

/** The service between what it needs and what needs it: as a map, and as a list. */
function ServiceMap({ service, cis, states, needs }: ServiceMapProps) {
  const navigate = useNavigate();
  const [isList, setList] = useState(false);
  const drawing = useMemo(() => drawnService(service, cis, states, needs), [service, cis, states, needs]);
  const open = (id: string | null): void => {
    if (id === null || id === service.id) return;
    const isCi = cis.some(({ _id }) => _id === id);
    void navigate({ to: isCi ? `/cis/${id}` : `/services/${id}` });
  };
  const label = text.dependencyMap(service.name);
  const end = (
    <Button variant="subtle" size="compact-xs" aria-pressed={isList} onClick={() => setList(!isList)}>
      {isList ? text.map : text.list}
    </Button>
  );
  return (
    <Panel title={text.map} end={end}>
      {drawing.nodes.length < 2 ? (
        <Nothing>{text.nothingToShow}</Nothing>
      ) : (
        <div className={classes.map}>
          {isList ? (
            <MapTree drawing={drawing} start={null} selected={service.id} onSelect={open} label={label} />
          ) : (
            <Suspense fallback={<Skeleton rows={5} height={40} />}>
              <GraphCanvas drawing={drawing} selected={service.id} onSelect={open} label={label} />
            </Suspense>
          )}
          {isList ? null : <LegendFold drawing={drawing} />}
        </div>
      )}
    </Panel>
  );
}

interface ComponentsProps {
  readonly service: ServiceData;
  readonly cis: readonly CiRow[];
  readonly states: States;
}

const redundancyWords = (
  { redundancy_group: group, redundancy_required: required = 1 }: ServiceData['components'][number],
  all: ServiceData['components'],
) => {
  if (group === undefined) return null;
  const members = all.filter((one) => one.redundancy_group === group).length;
  return text.redundancy(required, members, group);
};

/** Its components, and their states. */
function Components({ service, cis, states }: ComponentsProps) {
  const { components } = service;
  const known = new Map(cis.map((ci) => [ci._id, ci]));
  if (components.length === 0) return <Nothing>{text.noComponents}</Nothing>;
  return (
    <ul className={rows.rows}>
      {components.slice(0, MAX_CIS).map((component) => {
        const { ci_id: id, role } = component;
        const ci = known.get(id);
        const redundancy = redundancyWords(component, components);
        const owner = ci && ownerOf({ attributes: ci.attributes, customFields: ci.custom_fields });
        return (
          <li key={id} className={rows.row}>
            <span className={rows.rowMain}>
              <Link to={`/cis/${id}`}>{ci?.name ?? shared.deletedCi}</Link>
              <span className={rows.rowNote}>
                {[role === 'component' ? null : role, ci && typeWords(ci.type), redundancy, owner && text.owner(owner)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <StateMark state={states[id]} />
          </li>
        );
      })}
      {components.length > MAX_CIS ? (
        <li className={rows.row}>{text.moreComponents(number(components.length - MAX_CIS))}</li>
      ) : null}
    </ul>
  );
}

interface Props {
  readonly query: UseQueryResult<ServiceDependencies>;
  readonly side: 'upstream' | 'downstream';
  readonly nothing: string;
}

/** Impact of the other service: of its failure here, and of a failure here on it. */
const IMPACT_WORDS = {
  upstream: { full_outage: text.required, degraded_functionality: text.optional },
  downstream: {
    full_outage: text.fullOutage,
    degraded_functionality: text.degradedWithout,
  },
} as const;

/** Services on one side of this one. */
function Needs({ query, side, nothing }: Props) {
  return (
    <Region query={query} what={nouns.dependencies} skeleton={<Skeleton rows={2} height={30} />}>
      {({ [side]: found }) =>
        found.length === 0 ? (
          <Nothing>{nothing}</Nothing>
        ) : (
          <ul className={rows.rows}>
            {found.map(({ service_id: id, name, impact }) => (
              <li key={id} className={rows.row}>
                <Link to={`/services/${id}`} className={rows.rowMain}>
                  {name}
                </Link>
                <span className={rows.dim}>{IMPACT_WORDS[side][impact]}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Region>
  );
}

interface OpenGroupsProps {
  readonly name: string;
  readonly groups: UseQueryResult<GroupsPage>;
}

/** Groups that affect the service now. */
function OpenGroups({ name, groups }: OpenGroupsProps) {
  return (
    <Region query={groups} what={nouns.groups} skeleton={<Skeleton rows={2} height={40} />}>
      {({ groups: open }) => {
        const found = groupsOf(name, open);
        return found.length === 0 ? <Nothing>{text.noActiveGroups}</Nothing> : <GroupRows groups={found} withStatus />;
      }}
    </Region>
  );
}

/** Events on its components and on the CIs that these depend on. */
const EventsLink = ({ service: { id, name } }: { readonly service: ServiceData }) => (
  <Link to="/events" search={{ businessService: name.includes(',') ? id : name } as never}>
    {text.events}
  </Link>
);

const MIN_MS = 3_000;

const useServiceFacts = (service: ServiceData) => {
  const mayReadCis = useMay('cmdb.read');
  const ids = service.components.map(({ ci_id }) => ci_id).slice(0, MAX_CIS);
  const cis = useRead(
    ['cis', 'named', ids],
    async (call, signal) => (await listCis(call, { ids, limit: MAX_CIS }, signal)).data,
    { enabled: mayReadCis && ids.length > 0 },
  );
  const needs = useRead(['services', 'needs', service.id], (call, signal) =>
    readDependencies(call, service.id, signal),
  );
  const groups = useOpenGroups();
  useLive(['groups'], () => groups.refetch(), undefined, MIN_MS);
  return { cis: cis.data ?? [], needs, groups, states: useStates(ids) };
};

interface ActionsProps {
  readonly service: ServiceData;
  /** Names of its CIs, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Silences the CIs of the service. */
function SilenceButton({ service, names }: ActionsProps) {
  const [isOpen, setOpen] = useState(false);
  const cis = [...names].map(([id, name]) => ({ id, name }));
  const all = count(service.components.length, 'CI');
  const named = cis.length < service.components.length ? text.someOf(number(cis.length), all) : all;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {text.silence}
      </Button>
      <SilenceDialog
        draft={isOpen ? draftOfCis(text.cisOf(named, service.name), cis) : null}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

/** Changes and deletes the service. */
function EditButtons({ service }: Pick<ActionsProps, 'service'>) {
  const { call } = useAppServices();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [edited, setEdited] = useState<EditedService | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const mayReadCis = useMay('cmdb.read');
  const edit = async (): Promise<void> => {
    try {
      const { service: read, etag } = await readWholeService(call, service.id);
      const ids = mayReadCis ? read.components.map(({ ci_id }) => ci_id).slice(0, MAX_CIS) : [];
      const { data: cis } = ids.length === 0 ? { data: [] } : await listCis(call, { ids, limit: MAX_CIS });
      const names = new Map(cis.map(({ _id, name }) => [_id, name]));
      setEdited({ id: read.id, etag, draft: draftOfService(read, names) });
    } catch (error) {
      showError(text.couldntOpenEditor, error);
    }
  };
  const remove = async (): Promise<void> => {
    await deleteService(call, service.id);
    showToast({ text: text.deleted(service.name) });
    await navigate({ to: '/services' });
    await queries.invalidateQueries({ queryKey: ['services'] });
  };
  return (
    <>
      <Button variant="default" onClick={() => void edit()}>
        {text.edit}
      </Button>
      <Button variant="default" onClick={() => setDeleting(true)}>
        {text.deleteAction}
      </Button>
      <ServiceDialog opened={edited !== null} edited={edited} onClose={() => setEdited(null)} />
      <ConfirmDialog
        opened={isDeleting}
        title={text.deleteServiceTitle}
        action={text.deleteAction}
        onClose={() => setDeleting(false)}
        act={remove}
      >
        {text.deleteConsequence(service.name)}
      </ConfirmDialog>
    </>
  );
}

function ServiceView({ service }: { readonly service: ServiceData }) {
  const { name, description, health, criticality, sla } = service;
  const { cis, needs, groups, states } = useServiceFacts(service);
  const named = { service, names: new Map(cis.map((ci) => [ci._id, ci.name])) };
  const maySilence = useMay('events.write') && cis.length > 0;
  const mayEdit = useMay('services.write');
  return (
    <div className={detail.page}>
      <header className={detail.head}>
        <Link to="/services" className={heading.back}>
          <Icon name="left" size={14} /> {text.services}
        </Link>
        <h1 className={heading.title}>{name}</h1>
        <p className={heading.facts}>
          <HealthMark status={health.status} />
          {health.status === 'unknown' ? (
            <span>{text.noComponentsHealthUnknown}</span>
          ) : (
            <span>{text.outOf100(Math.round(health.score))}</span>
          )}
          <span>{text.criticality(criticality)}</span>
          {sla.availability === undefined ? null : <span>{text.availabilityTarget(sla.availability)}</span>}
          {sla.response_time === undefined ? null : <span>{text.responseTimeTarget(sla.response_time)}</span>}
        </p>
        {description === '' ? null : <p className={detail.description}>{description}</p>}
        {maySilence || mayEdit ? (
          <div className={classes.actions}>
            {maySilence ? <SilenceButton {...named} /> : null}
            {mayEdit ? <EditButtons service={service} /> : null}
          </div>
        ) : null}
      </header>
      <Panels
        left={
          <>
            <HealthHistory service={service} />
            <Panel title={text.openGroups} end={<EventsLink service={service} />}>
              <OpenGroups name={name} groups={groups} />
            </Panel>
            <Panel title={text.components}>
              <Components service={service} cis={cis} states={states} />
            </Panel>
          </>
        }
        right={
          <>
            <ServiceMap service={service} cis={cis} states={states} needs={needs.data} />
            <Panel title={text.upstreamDependencies}>
              <Needs query={needs} side="upstream" nothing={text.noUpstreamServices} />
            </Panel>
            <Panel title={text.downstreamDependents}>
              <Needs query={needs} side="downstream" nothing={text.noDownstreamServices} />
            </Panel>
          </>
        }
      />
    </div>
  );
}

/** One service. */
export function ServicePage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const query = useRead(['services', 'one', id], (call, signal) => readService(call, id, signal));
  useLive(['events', 'topology'], () => query.refetch(), undefined, MIN_MS);
  return (
    <Page title={query.data?.name ?? text.service} heading={false}>
      <div className={detail.scroll}>
        <Region query={query} what={nouns.service} skeleton={<Skeleton rows={10} height={48} />}>
          {(service) => <ServiceView key={service.id} service={service} />}
        </Region>
      </div>
    </Page>
  );
}
