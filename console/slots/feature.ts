import { createContext, useContext } from 'react';
import type { IconName } from '#console/facts/icon.tsx';
import type { Permission } from '#domain/access/permissions.ts';

export interface PageRoute {
  /** Below `ui/`; `$name` stands for a part that the page reads with `useParams`. */
  readonly path: string;
  readonly needs: Permission | null;
  /** Loaded when the page is opened; its export is named `component`. */
  readonly load: () => Promise<Readonly<Record<string, unknown>>>;
  readonly component: string;
  /** Without header and navigation. */
  readonly isBare?: boolean;
}

/** One of several beside each other. */
interface Placed {
  /** Entries of the core have tens: those of features come between them. */
  readonly place: number;
}

export interface NavigationEntry extends Placed {
  /** Address below `ui/`. */
  readonly to: string;
  readonly words: string;
  readonly icon: IconName;
  /** Entries without permission are not shown. */
  readonly needs: Permission | null;
  /** Any of these is enough. */
  readonly orElse?: readonly Permission[];
  /** After `g`. */
  readonly key?: string;
}

/** A page of the administration. */
export interface AdminEntry extends Placed {
  readonly to: string;
  readonly words: string;
  readonly needs: Permission;
}

/** The part of a feature in the console. It is loaded with the first page, so that it imports nothing large. */
export interface ConsoleFeature {
  readonly id: string;
  readonly pages?: readonly PageRoute[];
  readonly navigation?: readonly NavigationEntry[];
  readonly adminPages?: readonly AdminEntry[];
}

export const FeaturesContext = createContext<readonly ConsoleFeature[]>([]);

export const useFeatures = (): readonly ConsoleFeature[] => useContext(FeaturesContext);

/** In the order of their places. */
export const inPlace = <T extends Placed>(entries: readonly T[]): readonly T[] =>
  entries.toSorted((a, b) => a.place - b.place);
