import { CORRELATION, readOverrides } from '#application/tenants/settings.ts';
import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import { openReplay, type Replay, type SettingsOf } from '#domain/correlation/on-demand/replay.ts';
import type { SimulatedGroup } from '#domain/correlation/on-demand/simulation.ts';
import {
  type AutoStrategy,
  makeResolver,
  type SettingsOverrides,
  settingsWith,
} from '#domain/correlation/settings/tenant-settings.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import { count, dayCount, openTenantRates } from '#domain/correlation/window/rates.ts';
import { mergeOverrides } from '#domain/merge-patch.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { countGroups, differencesOf, type GroupDifference } from '#features/trials/rules/compare-groups.ts';
import type { Trial, TrialChange, TrialResult } from '#features/trials/rules/trial.ts';
import { isDecision, readPast } from './read-past.ts';

/** Maximum of judged groups, those with the latest arrival. */
const MOST = 1_000;
const PAGE = 100;

interface SimulatedSpan {
  /** ms. */
  readonly from: number;
  readonly before: readonly SimulatedGroup[];
  readonly after: readonly SimulatedGroup[];
}

const membersOf = ({ members }: SimulatedGroup): string => members.toSorted().join(' ');

/** True if the other side has the same group. */
const isKept = (
  { care: { verdict } }: ListedGroup,
  before: SimulatedGroup,
  after: ReadonlyMap<string, SimulatedGroup>,
): boolean => {
  const other = after.get(before.members[0] ?? '');
  if (other === undefined) return false;
  const sameMembers = verdict?.members !== 'right' || membersOf(other) === membersOf(before);
  const sameCause = verdict?.cause !== 'right' || other.group.candidate?.eventId === before.group.candidate?.eventId;
  return sameMembers && sameCause;
};

/** Counts the groups with confirmed members or cause that would stay the same. */
async function judgedGroups(
  { groupRows }: Pick<Ports, 'groupRows'>,
  tenant: string,
  { from, before, after }: SimulatedSpan,
): Promise<TrialResult['verdicts']> {
  const stood = new Map(before.flatMap((one) => [one.group.id, ...one.group.aliases].map((id) => [id, one] as const)));
  const ofMember = new Map(after.flatMap((one) => one.members.map((id) => [id, one] as const)));
  let [kept, lost] = [0, 0];
  for (const verdict of ['right', 'wrong', 'unknown'] as const) {
    let cursor: string | null | undefined;
    for (let read = 0; cursor !== null && read < MOST; read += PAGE) {
      const page = { sort: 'last', order: 'desc', limit: PAGE, ...(cursor !== undefined && { cursor }) } as const;
      const { items, nextCursor } = await groupRows.find(tenant, { verdict, from }, page);
      for (const row of items) {
        const group = stood.get(row.group.id);
        const isRight = row.care.verdict?.cause === 'right' || row.care.verdict?.members === 'right';
        if (group === undefined || !isRight) continue;
        if (isKept(row, group, ofMember)) kept += 1;
        else lost += 1;
      }
      cursor = nextCursor;
    }
  }
  return { kept, lost };
}

type Overrides = Readonly<Record<string, unknown>>;

/** The settings of a tenant with a patch laid over them. */
const patchedSettings = (overrides: Overrides, patch: Overrides): CorrelationSettings =>
  settingsWith(mergeOverrides(overrides, patch) as SettingsOverrides);

/**
 * The settings as enrich would have written them into each record. Where `auto` stays `auto`, the window is the one chosen then; where it
 * is new, it follows the new events that the trial saw in 24 h.
 */
const settingsOfTrial = (overrides: Overrides, patch: Overrides): SettingsOf => {
  const settings = patchedSettings(overrides, patch);
  const before = settingsWith(overrides as SettingsOverrides).strategies;
  const rates = openTenantRates();
  const resolve = makeResolver();
  return (record) => {
    const { arrival, settings: stored } = record;
    const windowMs = ({ name, auto }: AutoStrategy): number =>
      (before[name]?.windowMs === 'auto' && stored.strategies[name]?.windowMs) ||
      auto.windowMs(dayCount(rates, arrival.time));
    const resolved = resolve(settings, windowMs);
    if (!arrival.rebound) count(rates, arrival);
    return resolved;
  };
};

const MAX_CHANGES = 100;
/** Maximum per change. */
const NAMED = 20;
const TITLES = 4;
/** Records between two pauses: some milliseconds of work. */
const SLICE = 8;

export interface TrialRun {
  readonly ports: Ports;
  readonly tenant: string;
  /** Lets others have their turn; throws when the work is to end. `done`: 0 to 1. */
  giveWay(done: number): Promise<void>;
}

const named = (groups: readonly SimulatedGroup[]) =>
  groups.slice(0, NAMED).map(({ group: { id }, members }) => ({ correlationId: id, size: members.length }));

/** Returns the causes of the groups, else their first events. */
const telling = ({ before, after }: GroupDifference): string[] =>
  [...new Set([...before, ...after].map(({ group }) => group.candidate?.eventId ?? group.foundedBy))].slice(0, TITLES);

async function shown({ ports, tenant }: TrialRun, differences: readonly GroupDifference[]): Promise<TrialChange[]> {
  const ids = [...new Set(differences.flatMap(telling))];
  const titles = new Map((await ports.events.getMany(tenant, ids)).map(({ id, title }) => [id, title]));
  return differences.map((one) => ({
    kind: one.kind,
    before: named(one.before),
    after: named(one.after),
    titles: [...new Set(telling(one).flatMap((id) => titles.get(id) ?? []))],
  }));
}

/** Groups of the last hours as they are, and as they would be with other settings. Writes nothing. */
export async function runTrial(run: TrialRun, { patch, hours }: Trial): Promise<TrialResult> {
  const { ports, tenant } = run;
  await ports.eventLog.caughtUp();
  const overrides = await readOverrides({ ports, tenant }, CORRELATION);
  const spanMs = Math.max(...[{}, patch].map((one) => patchedSettings(overrides, one).guards.maxSpanMs));
  const past = await readPast(ports, tenant, { hours, spanMs });
  const [then, tried] = [openReplay(({ settings }) => settings), openReplay(settingsOfTrial(overrides, patch))];
  /** Events of the hours; superseded ones do not count. */
  const events = new Set<string>();
  const superseded = new Set<string>();
  let taken = 0;
  for await (const { step, done } of past.steps()) {
    for (const replay of [then, tried])
      if (isDecision(step)) replay.takeDemanded(step);
      else replay.take(step);
    taken += 1;
    if (taken % SLICE === 0) await run.giveWay(done);
    if (isDecision(step)) continue;
    const { time, eventId, supersedes } = step.record.arrival;
    if (time >= past.from) events.add(eventId);
    if (supersedes !== undefined) superseded.add(supersedes);
  }
  for (const id of superseded) events.delete(id);
  const standing = async (replay: Replay): Promise<SimulatedGroup[]> => {
    await run.giveWay(1);
    return replay.groups().filter(({ group }) => group.last >= past.from);
  };
  const [before, after] = [await standing(then), await standing(tried)];
  await run.giveWay(1);
  const differences = differencesOf(before, after);
  await run.giveWay(1);
  return {
    from: past.from,
    events: events.size,
    truncated: past.truncated,
    before: countGroups(before, events),
    after: countGroups(after, events),
    changes: await shown(run, differences.slice(0, MAX_CHANGES)),
    changed: differences.length,
    verdicts: await judgedGroups(ports, tenant, { from: past.from, before, after }),
  };
}
