import { type ComponentType, createContext, useContext } from 'react';
import type { CiFacts } from '#console/api/cmdb/cmdb.ts';
import type { EventRow } from '#console/api/events.ts';
import type { GroupDetailData, GroupRow } from '#console/api/groups.ts';
import type { Call } from '#console/api/link/call.ts';
import type { Me } from '#console/api/me.ts';
import type { Patch } from '#console/api/tuning.ts';
import type { IconName } from '#console/components/icon.tsx';
import type { Permission } from '#domain/access/permissions.ts';

export interface PageRoute {
  /** Path below `ui/`; `$name` is a part that the page reads with `useParams`. */
  readonly path: string;
  readonly needs: Permission | null;
  /** Loaded when the page is opened; its export is named `component`. */
  readonly load: () => Promise<Readonly<Record<string, unknown>>>;
  readonly component: string;
  /** Slots that the page shows: their parts are loaded with it. */
  readonly slots?: readonly SlotName[];
  /** Hides header and navigation. */
  readonly isBare?: boolean;
}

/** One of several beside each other. */
interface Placed {
  /** Entries of the core have tens: those of features are between them. */
  readonly place: number;
}

/** A page, or a part of one, that Ctrl K finds. */
export interface FoundPlace {
  /** Address below `ui/`, with its query. */
  readonly to: string;
  readonly words: string;
  /** Usual synonyms, separated by spaces. */
  readonly also?: string;
  /** Null: every user may open it. */
  readonly needs: Permission | null;
}

export interface NavigationEntry extends Placed, FoundPlace {
  readonly icon: IconName;
  /** Any of these is enough. */
  readonly orElse?: readonly Permission[];
  /** Key after `g`. */
  readonly key?: string;
}

/** A page of the administration. */
export interface AdminEntry extends Placed, FoundPlace {
  readonly needs: Permission;
}

/** A component that a page draws without knowing whose it is. */
interface SlotPart<Props extends object> {
  /** Names it among those of the slot. */
  readonly id: string;
  readonly Part: ComponentType<Props> & { readonly preload?: (() => unknown) | undefined };
}

/** An action on one row that first asks for something in a dialog. */
export interface RowAction<Row> extends SlotPart<{ readonly row: Row | null; readonly onClose: () => void }> {
  readonly words: string;
  readonly keys: string;
}

export interface StartCard extends Placed, SlotPart<{ readonly number: number }> {
  readonly isFor: (me: Me) => boolean;
}

/** A kind of visited tenants, in the strip that shows the current location. */
interface VisitedTenant extends SlotPart<{ readonly leave: () => void }> {
  readonly isOf: (tenant: string) => boolean;
  readonly words: string;
}

interface PageTab extends Placed, SlotPart<object> {
  /** Path of the page that has the tab. */
  readonly page: string;
  readonly words: string;
  /** Number of its entries, from the part's own query. */
  readonly count: (call: Call) => {
    readonly queryKey: readonly string[];
    readonly queryFn: (asked: { readonly signal: AbortSignal }) => Promise<unknown>;
    readonly select: (found: unknown) => number;
  };
}

/** An open proposal of a relationship: no failure spreads over it. */
interface ProposedEdge {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly isFromAi: true;
  /** Its id. */
  readonly proposal: string;
}
export interface MapPartProps {
  /** Not a map of the past. */
  readonly isNow: boolean;
  /** Ids of the proposals on the map. */
  readonly drawn: ReadonlySet<string | undefined>;
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  readonly propose: (edges: readonly ProposedEdge[]) => void;
}

interface TrialOf {
  readonly patch: Patch;
  /** Id of the selected trial. */
  readonly shown: string | null;
}
export interface TuningPartProps extends TrialOf {
  readonly show: (id: string) => void;
  /** A patch as it is read. */
  readonly tell: (patch: Patch) => readonly { readonly words: string; readonly after: string }[];
  readonly takeOver: (patch: Patch) => void;
}

/** Lists of components, each drawn at its place by the core. */
interface Slots {
  readonly headerParts: readonly SlotPart<{ readonly pages: readonly string[] }>[];
  readonly visitedTenants: readonly VisitedTenant[];
  readonly startCards: readonly StartCard[];
  readonly eventActions: readonly RowAction<EventRow>[];
  readonly groupActions: readonly RowAction<GroupRow>[];
  /** Panels between those of a group and its tabs. */
  readonly groupPanels: readonly SlotPart<{ readonly group: GroupDetailData }>[];
  /** Panels below those of the left column of a CI, and among those of the right one. */
  readonly leftCiPanels: readonly SlotPart<{ readonly ci: CiFacts }>[];
  readonly rightCiPanels: readonly SlotPart<{ readonly ci: CiFacts }>[];
  /** Content beside the value of an attribute of a CI. */
  readonly ciValueParts: readonly SlotPart<{ readonly ci: string; readonly name: string }>[];
  /** Below the choice of a CI, while no map is shown. */
  readonly mapStarts: readonly SlotPart<object>[];
  readonly mapParts: readonly SlotPart<MapPartProps>[];
  readonly pageTabs: readonly PageTab[];
  readonly wallParts: readonly SlotPart<object>[];
  /** Marks below a wall. */
  readonly wallFoot: readonly SlotPart<object>[];
  readonly tuningParts: readonly SlotPart<TuningPartProps>[];
  /** Text on trials, shown before settings are saved. */
  readonly trialWords: readonly SlotPart<TrialOf>[];
}
export type SlotName = keyof Slots;

/** The part of a feature in the console. It is loaded with the first page, so that it imports nothing large. */
export interface ConsoleFeature extends Partial<Slots> {
  readonly id: string;
  readonly pages?: readonly PageRoute[];
  readonly navigation?: readonly NavigationEntry[];
  readonly adminPages?: readonly AdminEntry[];
  /** Parts of pages. */
  readonly places?: readonly FoundPlace[];
}

export const FeaturesContext = createContext<readonly ConsoleFeature[]>([]);

export const useFeatures = (): readonly ConsoleFeature[] => useContext(FeaturesContext);

type SlotEntry<Name extends SlotName> = Slots[Name][number];

export const inSlot = <Name extends SlotName>(
  features: readonly ConsoleFeature[],
  name: Name,
): readonly SlotEntry<Name>[] => features.flatMap((feature) => (feature[name] ?? []) as readonly SlotEntry<Name>[]);

export const useSlot = <Name extends SlotName>(name: Name): readonly SlotEntry<Name>[] => inSlot(useFeatures(), name);

/** Returns the entries in the order of their places. */
export const inPlace = <T extends Placed>(entries: readonly T[]): readonly T[] =>
  entries.toSorted((a, b) => a.place - b.place);
