import { CORRELATION, readOverrides } from '#application/tenants/settings.ts';
import { openReplay, type Replay } from '#domain/correlation/on-demand/replay.ts';
import type { SimulatedGroup } from '#domain/correlation/on-demand/simulation.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { countGroups, differencesOf, type GroupDifference } from '#features/trials/rules/compare-groups.ts';
import type { Trial, TrialChange, TrialResult } from '#features/trials/rules/trial.ts';
import { judgedGroups } from './judged-groups.ts';
import { isDecision, readPast } from './read-past.ts';
import { patchedSettings, settingsOfTrial } from './settings-of.ts';

const MOST_CHANGES = 100;
/** Of one change. */
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

/** The causes of the groups, else what they begin with. */
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
  /** Events of the hours; what another event took the place of does not count. */
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
    changes: await shown(run, differences.slice(0, MOST_CHANGES)),
    changed: differences.length,
    verdicts: await judgedGroups(ports, tenant, { from: past.from, before, after }),
  };
}
